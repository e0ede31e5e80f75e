package sim

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The header of a request is version 1, or 2 (with tags) when the request is
// flexible; a response's is 0 or 1. ApiVersions answers with header 0 always,
// so that any client can read it (KIP-511).

// EncodeRequest gives the bytes of a request as they follow the length on the
// wire: header, then body.
func EncodeRequest(req kmsg.Request, correlation int32, clientID string) []byte {
	dst := make([]byte, 0, 128+requestRecords(req))
	dst = binary.BigEndian.AppendUint16(dst, uint16(req.Key()))
	dst = binary.BigEndian.AppendUint16(dst, uint16(req.GetVersion()))
	dst = binary.BigEndian.AppendUint32(dst, uint32(correlation))
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(clientID)))
	dst = append(dst, clientID...)
	if req.IsFlexible() {
		dst = append(dst, 0)
	}
	return req.AppendTo(dst)
}

// DecodeRequest reads what EncodeRequest, or a client anywhere, wrote. The
// message may refer to the bytes of src.
func DecodeRequest(src []byte) (req kmsg.Request, correlation int32, clientID string, err error) {
	if len(src) < 10 {
		return nil, 0, "", fmt.Errorf("request of %d bytes: a header takes 10 at least", len(src))
	}
	key := int16(binary.BigEndian.Uint16(src))
	version := int16(binary.BigEndian.Uint16(src[2:]))
	correlation = int32(binary.BigEndian.Uint32(src[4:]))
	n := int(int16(binary.BigEndian.Uint16(src[8:])))
	src = src[10:]
	if n > len(src) {
		return nil, correlation, "", fmt.Errorf("client id of %d bytes, %d left", n, len(src))
	}
	if n > 0 {
		clientID, src = string(src[:n]), src[n:]
	}
	req = kmsg.RequestForKey(key)
	if req == nil {
		return nil, correlation, clientID, fmt.Errorf("no request has key %d", key)
	}
	if version < 0 || version > req.MaxVersion() {
		return nil, correlation, clientID, fmt.Errorf("%s version %d: 0 to %d are known", APIName(key), version, req.MaxVersion())
	}
	req.SetVersion(version)
	if req.IsFlexible() {
		if src, err = skipTags(src); err != nil {
			return nil, correlation, clientID, err
		}
	}
	if err := req.ReadFrom(src); err != nil {
		return nil, correlation, clientID, fmt.Errorf("%s version %d: %w", APIName(key), version, err)
	}
	return req, correlation, clientID, nil
}

// EncodeResponse gives the bytes of a response after the length.
func EncodeResponse(resp kmsg.Response, correlation int32) []byte {
	dst := make([]byte, 0, 128+responseRecords(resp))
	dst = binary.BigEndian.AppendUint32(dst, uint32(correlation))
	if resp.IsFlexible() && resp.Key() != apiVersionsKey {
		dst = append(dst, 0)
	}
	return resp.AppendTo(dst)
}

const apiVersionsKey = 18

// requestRecords and responseRecords are the bytes of the records in a message:
// room for them at once saves copying them again and again.
func requestRecords(req kmsg.Request) (n int) {
	if produce, ok := req.(*kmsg.ProduceRequest); ok {
		for i := range produce.Topics {
			for j := range produce.Topics[i].Partitions {
				n += len(produce.Topics[i].Partitions[j].Records) + 32
			}
		}
	}
	return n
}

func responseRecords(resp kmsg.Response) (n int) {
	if fetch, ok := resp.(*kmsg.FetchResponse); ok {
		for i := range fetch.Topics {
			for j := range fetch.Topics[i].Partitions {
				n += len(fetch.Topics[i].Partitions[j].RecordBatches) + 64
			}
		}
	}
	return n
}

// DecodeResponse reads the answer to a request of the given key and version.
func DecodeResponse(src []byte, key, version int16) (resp kmsg.Response, correlation int32, err error) {
	if len(src) < 4 {
		return nil, 0, fmt.Errorf("response of %d bytes: a header takes 4 at least", len(src))
	}
	correlation = int32(binary.BigEndian.Uint32(src))
	src = src[4:]
	resp = kmsg.ResponseForKey(key)
	if resp == nil {
		return nil, correlation, fmt.Errorf("no response has key %d", key)
	}
	resp.SetVersion(version)
	if resp.IsFlexible() && key != apiVersionsKey {
		if src, err = skipTags(src); err != nil {
			return nil, correlation, err
		}
	}
	if err := resp.ReadFrom(src); err != nil {
		return nil, correlation, fmt.Errorf("%s response version %d: %w", APIName(key), version, err)
	}
	return resp, correlation, nil
}

func skipTags(src []byte) ([]byte, error) {
	count, n := binary.Uvarint(src)
	if n <= 0 {
		return nil, fmt.Errorf("header ends within its tags")
	}
	src = src[n:]
	for range min(count, 1<<16) {
		_, n := binary.Uvarint(src)
		if n <= 0 {
			return nil, fmt.Errorf("header ends within its tags")
		}
		size, m := binary.Uvarint(src[n:])
		if m <= 0 || size > uint64(len(src)-n-m) {
			return nil, fmt.Errorf("header ends within its tags")
		}
		src = src[n+m+int(size):]
	}
	return src, nil
}
