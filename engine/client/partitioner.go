package client

// murmur2 is the hash by which Kafka's clients spread keys: Austin Appleby's
// MurmurHash2 with Kafka's seed (Utils#murmur2).
func murmur2(data []byte) uint32 {
	const (
		seed = 0x9747b28c
		m    = 0x5bd1e995
		r    = 24
	)
	h := uint32(seed) ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		k *= m
		k ^= k >> r
		k *= m
		h *= m
		h ^= k
	}
	switch len(data) {
	case 3:
		h ^= uint32(data[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(data[1]) << 8
		fallthrough
	case 1:
		h ^= uint32(data[0])
		h *= m
	}
	h ^= h >> 13
	h *= m
	h ^= h >> 15
	return h
}

// PartitionForKey is where a record with a key goes: the same on every client
// with the same number of partitions (BuiltInPartitioner#partitionForKey).
func PartitionForKey(key []byte, partitions int) int32 {
	return int32(murmur2(key)&0x7fffffff) % int32(partitions)
}
