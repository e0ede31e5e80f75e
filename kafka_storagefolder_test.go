//go:build kafka

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/record"
	"kafkalab/engine/storage"
)

// folderText is what a topic's folder holds: segments, batches with their
// records, index entries, snapshots. Of an active segment's indexes nothing is
// said while the broker runs: it may keep the last entries to itself. Of a delete
// horizon it is said whether it is set: the clocks of two brokers differ.
func (n *storageNode) folderText(topic *storageTopic, running bool) []string {
	n.t.Helper()
	dir := filepath.Join(n.logs, topic.name+"-0")
	entries, err := os.ReadDir(dir)
	if err != nil {
		n.t.Fatal(err)
	}
	active := fmt.Sprintf("%020d", slices.Max(n.segments(topic.name)))
	var out []string
	for _, e := range entries {
		name := e.Name()
		base, err := strconv.ParseInt(strings.Split(name, ".")[0], 10, 64)
		if err != nil || strings.HasSuffix(name, ".deleted") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			n.t.Fatal(err)
		}
		if running && strings.HasPrefix(name, active) && strings.HasSuffix(name, "index") {
			continue
		}
		out = append(out, name)
		switch filepath.Ext(name) {
		case ".log":
			out = append(out, n.batchLines(data)...)
		case ".index":
			list, _ := storage.ParseOffsetIndex(data)
			for _, x := range list {
				line := fmt.Sprint(base+int64(x.Relative), " at ", x.Position)
				if topic.coded {
					line = fmt.Sprint(base + int64(x.Relative))
				}
				out = append(out, line)
			}
		case ".timeindex":
			list, _ := storage.ParseTimeIndex(data)
			for _, x := range list {
				out = append(out, fmt.Sprint(x.Timestamp-storageTime, " ", base+int64(x.Relative)))
			}
		case ".snapshot":
			out = append(out, fmt.Sprintf("%x", data))
		}
	}
	return out
}

// batchLines is a line for each batch of a log.
func (n *storageNode) batchLines(data []byte) []string {
	n.t.Helper()
	var out []string
	for len(data) > 0 {
		b, err := record.Next(data)
		if err != nil {
			return append(out, err.Error())
		}
		data = data[len(b):]
		_, horizon := b.DeleteHorizon()
		line := fmt.Sprintf("%d-%d %v valid %v horizon %v max %d producer %d/%d/%d epoch %d:", b.BaseOffset(), b.LastOffset(), b.Codec(), b.Valid() == nil,
			horizon, b.MaxTimestamp()-storageTime, b.ProducerID(), b.ProducerEpoch(), b.BaseSequence(), b.PartitionLeaderEpoch())
		list, err := b.Records()
		if err != nil {
			n.t.Fatal(err)
		}
		for _, r := range list {
			line += fmt.Sprintf(" %d@%d %q=%q/%v%q", r.Offset, r.Timestamp-storageTime, r.Key, r.Value, r.Value == nil, r.Headers)
		}
		out = append(out, line)
	}
	return out
}

// compareFolders compares a topic's folders and log starts, and tells how many
// lines it has compared.
func compareFolders(nodes []*storageNode, topic *storageTopic, what string, running bool) int {
	nodes[0].t.Helper()
	var texts [2][]string
	for i, n := range nodes {
		texts[i] = n.folderText(topic, running)
		if running {
			texts[i] = append(texts[i], "start "+n.offset(topic.name, -2), "end "+n.offset(topic.name, -1))
		}
	}
	if !slices.Equal(texts[0], texts[1]) {
		at := 0
		for at < min(len(texts[0]), len(texts[1])) && texts[0][at] == texts[1][at] {
			at++
		}
		nodes[0].t.Errorf("%s, %s, line %d of %d and %d:\nlab   %s\nkafka %s", topic.name, what, at, len(texts[0]), len(texts[1]), lineAt(texts[0], at), lineAt(texts[1], at))
	}
	return len(texts[1])
}

func lineAt(list []string, i int) string {
	if i >= len(list) {
		return "nothing"
	}
	return list[i]
}
