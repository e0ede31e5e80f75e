package console

import (
	"fmt"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/engine/config"
)

var topicCommands = []command{
	{"cluster", "cluster brokers=3 controllers=3 combined=false seed=1 racks=a,b,c start=TIME latency=1ms CONFIG=…", "starts a fresh cluster; the first line only", parseCluster},
	{"topic create", "topic create T partitions=1 replicas=1 assignment=1,2,3;2,3,1 CONFIG=…", "creates a topic", parseTopicCreate},
	{"topic alter", "topic alter T partitions=N CONFIG=…", "adds partitions, changes configs", parseTopicAlter},
	{"topic delete", "topic delete T", "deletes a topic", parseTopicDelete},
	{"config", "config broker-2 CONFIG=…", "changes dynamic configs of a broker", parseConfig},
}

// clusterAction starts the session's cluster.
type clusterAction struct{ opts engine.Options }

func parseCluster(a *args) (action, error) {
	o := engine.Defaults()
	brokers, err := a.int("brokers", int64(o.Brokers), 1, engine.MaxBrokers)
	if err != nil {
		return nil, err
	}
	controllers, err := a.int("controllers", int64(o.Controllers), 1, engine.MaxControllers)
	if err != nil {
		return nil, err
	}
	seed, err := a.int("seed", int64(o.Seed), 0, 1<<62)
	if err != nil {
		return nil, err
	}
	if o.Combined, err = a.bool("combined", false); err != nil {
		return nil, err
	}
	if o.Combined {
		return nil, notYet("combined=true")
	}
	if racks, ok := a.take("racks"); ok {
		o.Racks = strings.Split(racks, ",")
	}
	if err := parseClusterTime(a, &o); err != nil {
		return nil, err
	}
	settings, err := a.configs(config.Broker)
	if err != nil {
		return nil, err
	}
	for _, s := range settings {
		if why, ok := labsOwn[s.Name]; ok {
			return nil, wrong(s.Name, "%s is the lab's own: %s", s.Name, why)
		}
	}
	o.Static = map[string]string{}
	for _, s := range settings {
		if kerr := config.Validate(config.Broker, s.Name, s.Value); kerr != nil {
			return nil, wrong(s.Value, "a broker would not start: %s", kerr.Message)
		}
		o.Static[s.Name] = s.Value
	}
	if kerr := config.ValidateBroker(o.Static); kerr != nil {
		return nil, &SyntaxError{Message: "a broker would not start: " + kerr.Message}
	}
	o.Brokers, o.Controllers, o.Seed = int(brokers), int(controllers), uint64(seed)
	return clusterAction{o}, nil
}

// labsOwn are broker configs that the lab sets for each node.
var labsOwn = map[string]string{
	"node.id": "nodes are numbered", "broker.id": "nodes are numbered", "broker.rack": "racks=a,b,c gives racks",
	"process.roles": "combined=true will join the roles", "log.dir": "--data-dir says where logs are", "log.dirs": "--data-dir says where logs are",
	"metadata.log.dir": "--data-dir says where logs are", "listeners": "nodes meet inside the process", "advertised.listeners": "nodes meet inside the process",
	"controller.quorum.voters": "controllers=N says how many there are", "controller.quorum.bootstrap.servers": "controllers=N says how many there are",
}

func (c clusterAction) run(s *Session, text string) (Output, error) { return Output{}, s.start(c.opts) }

func parseTopicCreate(a *args) (action, error) {
	topic, err := a.word("a topic")
	if err != nil {
		return nil, err
	}
	cmd := client.CreateTopic{Topic: topic}
	if s, ok := a.take("assignment"); ok {
		if cmd.Assignment, err = parseAssignment(s); err != nil {
			return nil, err
		}
	}
	partitions, replicas := int64(1), int64(1)
	if cmd.Assignment != nil {
		partitions, replicas = int64(len(cmd.Assignment)), int64(len(cmd.Assignment[0]))
	}
	if cmd.Partitions, err = agreeing[int32](a, "partitions", partitions, cmd.Assignment != nil); err != nil {
		return nil, err
	}
	if cmd.Replicas, err = agreeing[int16](a, "replicas", replicas, cmd.Assignment != nil); err != nil {
		return nil, err
	}
	if cmd.Configs, err = a.configs(config.Topic); err != nil {
		return nil, err
	}
	return engineAction{engine.CreateTopic{CreateTopic: cmd}, formatCreated}, nil
}

// agreeing reads a number that an assignment, where there is one, has decided.
func agreeing[T int16 | int32](a *args, key string, def int64, decided bool) (T, error) {
	const most = 32767
	n, err := a.int(key, def, -most, 1<<31-1)
	if err != nil {
		return 0, err
	}
	if decided && n != def {
		return 0, wrong(strconv.FormatInt(n, 10), "%s=%d does not agree with the assignment, which has %d", key, n, def)
	}
	if int64(T(n)) != n {
		return 0, wrong(strconv.FormatInt(n, 10), "%s=%d: at most %d fit in Kafka's request", key, n, most)
	}
	return T(n), nil
}

func parseAssignment(s string) ([][]int32, error) {
	var out [][]int32
	for _, part := range strings.Split(s, ";") {
		var replicas []int32
		for _, w := range strings.Split(part, ",") {
			id, err := strconv.ParseInt(strings.TrimSpace(w), 10, 32)
			if err != nil {
				return nil, wrong(w, "assignment=%s: broker ids with commas between, and a semicolon between partitions, are allowed", s)
			}
			replicas = append(replicas, int32(id))
		}
		out = append(out, replicas)
	}
	return out, nil
}

func formatCreated(r engine.Result) []string {
	c, ok := r.(engine.Created)
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("created %s: %s, %s, id %s", c.Topic, count(c.Partitions, "partition"), count(c.Replicas, "replica"), c.ID)}
}

func parseTopicAlter(a *args) (action, error) {
	topic, err := a.word("a topic")
	if err != nil {
		return nil, err
	}
	cmd := client.AlterTopic{Topic: topic}
	const keep = 1 << 31 // no number of partitions is given
	partitions, err := a.int("partitions", keep, -1<<31, 1<<31-1)
	if err != nil {
		return nil, err
	}
	if cmd.Grow = partitions != keep; cmd.Grow {
		cmd.Partitions = int32(partitions)
	}
	if cmd.Configs, err = a.configs(config.Topic); err != nil {
		return nil, err
	}
	if !cmd.Grow && len(cmd.Configs) == 0 {
		return nil, wrong("", "topic alter changes partitions=N or a topic config: neither is given")
	}
	return engineAction{engine.AlterTopic{AlterTopic: cmd}, nil}, nil
}

func parseTopicDelete(a *args) (action, error) {
	topic, err := a.word("a topic")
	if err != nil {
		return nil, err
	}
	return engineAction{engine.DeleteTopic{DeleteTopic: client.DeleteTopic{Topic: topic}}, nil}, nil
}

func parseConfig(a *args) (action, error) {
	name, err := a.word("a broker, as broker-2")
	if err != nil {
		return nil, err
	}
	m := brokerWord.FindStringSubmatch(name)
	if m == nil {
		return nil, wrong(name, "%s is no broker: broker-2 is one", name)
	}
	cmd := client.AlterBroker{Broker: number(m[1])}
	if cmd.Configs, err = a.configs(config.Broker); err != nil {
		return nil, err
	}
	if len(cmd.Configs) == 0 {
		return nil, wrong("", "config needs a broker config, as log.segment.bytes=1MiB")
	}
	return engineAction{engine.AlterBroker{AlterBroker: cmd}, nil}, nil
}

// count says how many of a noun there are.
func count(n int, noun string) string {
	if n != 1 && strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
