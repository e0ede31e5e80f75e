package sim

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream derives a random stream from the seed and a name. Each use has a
// stream of its own, so that one more draw in one place moves nothing in
// another.
func Stream(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// UUID draws a version 4 uuid whose text Kafka would accept: Kafka's
// Uuid.randomUuid draws again while the base64 text starts with a dash.
func UUID(r *rand.Rand) [16]byte {
	var u [16]byte
	for {
		for i := range u {
			u[i] = byte(r.Uint32())
		}
		u[6] = u[6]&0x0f | 0x40
		u[8] = u[8]&0x3f | 0x80
		if u[0]>>2 != 62 {
			return u
		}
	}
}
