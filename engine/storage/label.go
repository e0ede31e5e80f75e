package storage

import "fmt"

// label is a partition as the lab's traces and commands name it.
func label(topic string, partition int32) string { return fmt.Sprintf("%s/%d", topic, partition) }
