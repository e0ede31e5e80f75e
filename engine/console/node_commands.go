package console

import (
	"math"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/engine/config"
	"kafkalab/engine/sim"
)

var nodeCommands = []command{
	{"stall", "stall broker-3", "its replica fetchers do not run; the process is up and answers", parseStall},
	{"resume", "resume broker-3", "its replica fetchers run again", parseResume},
	{"kill", "kill broker-1", "the process dies, what it had written stays", parseStop(engine.StopKill)},
	{"crash", "crash broker-1", "the machine dies: what was synced stays, of the rest a part", parseStop(engine.StopCrash)},
	{"shutdown", "shutdown broker-1", "controlled shutdown", parseStop(engine.StopShutdown)},
	{"restart", "restart broker-1", "starts it again, until it serves", parseRestart},
	{"cut", "cut A B", "two nodes cannot talk", parseLink(engine.LinkCut)},
	{"heal", "heal [A B]", "they can again; without nodes every link is healed", parseHeal},
	{"slow", "slow A B DURATION", "messages between them take so long one way", parseSlow},
	{"lose", "lose A B REQUEST [count=N]", "drops the answers to the named request, and ends their connections", parseLose},
	{"disk", "disk NODE full|readonly|ok|torn=BYTES|flip=T/P:SEGMENT:BYTE|cut=T/P:SEGMENT.index:BYTES|lost=T/P:SEGMENT.index", "disk faults", parseDisk},
	{"elect", "elect preferred|unclean T/P", "holds an election by hand", parseElect},
}

// brokerArg takes a broker's name. Other nodes cannot be stopped yet.
func brokerArg(a *args) (int32, error) {
	w, err := a.word("a node, as broker-3")
	if err != nil {
		return 0, err
	}
	if m := brokerWord.FindStringSubmatch(w); m != nil {
		return number(m[1]), nil
	}
	if strings.HasPrefix(w, "controller-") {
		return 0, notYet(a.verb + " " + w)
	}
	return 0, wrong(w, "%s is no broker: broker-3 is one", w)
}

func parseStall(a *args) (action, error) {
	id, err := brokerArg(a)
	return engineAction{engine.Stall{Broker: id}, nil}, err
}

func parseResume(a *args) (action, error) {
	id, err := brokerArg(a)
	return engineAction{engine.Resume{Broker: id}, nil}, err
}

func parseStop(how string) func(*args) (action, error) {
	return func(a *args) (action, error) {
		id, err := brokerArg(a)
		return engineAction{engine.Stop{Broker: id, How: how}, nil}, err
	}
}

func parseRestart(a *args) (action, error) {
	id, err := brokerArg(a)
	return engineAction{engine.Restart{Broker: id}, nil}, err
}

func ends(a *args) (x, y sim.NodeID, err error) {
	first, err := a.word("two nodes, as broker-1 broker-2")
	if err != nil {
		return "", "", err
	}
	second, err := a.word("two nodes, as broker-1 broker-2")
	if err == nil && first == second {
		err = wrong(second, "%s %s %s: two different nodes have a link", a.verb, first, second)
	}
	return sim.NodeID(first), sim.NodeID(second), err
}

func parseLink(what string) func(*args) (action, error) {
	return func(a *args) (action, error) {
		x, y, err := ends(a)
		return engineAction{engine.Link{What: what, A: x, B: y}, nil}, err
	}
}

func parseHeal(a *args) (action, error) {
	if len(a.words) == 0 {
		return engineAction{engine.Link{What: engine.LinkHeal}, nil}, nil
	}
	return parseLink(engine.LinkHeal)(a)
}

func parseSlow(a *args) (action, error) {
	x, y, err := ends(a)
	if err != nil {
		return nil, err
	}
	w, err := a.word("a duration, as 50ms")
	if err != nil {
		return nil, err
	}
	ms, err := duration(w)
	if err == nil && ms < 1 {
		err = wrong(w, "%s: a message takes at least 1ms", w)
	}
	return engineAction{engine.Link{What: engine.LinkSlow, A: x, B: y, Ms: ms}, nil}, err
}

func parseLose(a *args) (action, error) {
	x, y, err := ends(a)
	if err != nil {
		return nil, err
	}
	api, err := a.word("a request, as Produce")
	if err != nil {
		return nil, err
	}
	if _, ok := sim.APIKey(api); !ok {
		e := wrong(api, "Kafka has no request %s", api)
		e.Nearest = config.Nearest(api, sim.APINames())
		return nil, e
	}
	n, err := a.int("count", 1, 1, math.MaxInt32)
	return engineAction{engine.Link{What: engine.LinkLose, A: x, B: y, API: api, Count: int(n)}, nil}, err
}

func parseElect(a *args) (action, error) {
	how, err := a.word("preferred or unclean")
	if err != nil {
		return nil, err
	}
	if how != "preferred" && how != "unclean" {
		e := wrong(how, "elect %s: preferred or unclean is allowed", how)
		e.Nearest = config.Nearest(how, []string{"preferred", "unclean"})
		return nil, e
	}
	w, err := a.word("a partition")
	if err != nil {
		return nil, err
	}
	topic, n, err := partition(w)
	return engineAction{engine.Elect{ElectLeader: client.ElectLeader{Topic: topic, Partition: n, Unclean: how == "unclean"}}, nil}, err
}
