package config

import "strings"

// rule is a validator that Kafka has for one or two configs only.
type rule struct {
	words string // what it allows
	ask   func(k *Key, v value) string
}

func (r rule) String() string               { return r.words }
func (r rule) check(k *Key, v value) string { return r.ask(k, v) }

// special are those rules by the word for them in the table.
var special = map[string]Validator{
	"non-empty":            rule{"not empty", checkNonEmpty},
	"non-null":             rule{"any", func(*Key, value) string { return "" }}, // a text never is
	"gzip-level":           rule{"1 to 9, or -1 for the codec's default", checkGzipLevel},
	"throttled-replicas":   rule{"* or PARTITION:BROKER,…", checkThrottled},
	"quorum-voters":        rule{"ID@HOST:PORT,…", checkVoters},
	"quorum-bootstrap":     rule{"HOST:PORT,…", checkBootstrap},
	"offset-reset":         rule{"earliest, latest, none or by_duration:PnDTnHnMn.nS", checkOffsetReset},
	"acquire-mode":         rule{"batch_optimized or record_limit", checkAcquireMode},
	"acknowledgement-mode": rule{"implicit or explicit", checkAcknowledgementMode},
}

func checkNonEmpty(k *Key, v value) string {
	if v.text == "" {
		return invalid(k.Name, v.text, "String must be non-empty")
	}
	return ""
}

// checkGzipLevel is CompressionType.GZIP#levelValidator.
func checkGzipLevel(k *Key, v value) string {
	if v.num > 9 || v.num < 1 && v.num != -1 {
		return invalid(k.Name, v.format(k.Type), "Value must be between 1 and 9 or equal to -1")
	}
	return ""
}

// checkThrottled is ThrottledReplicaListValidator.
func checkThrottled(k *Key, v value) string {
	pairs := true
	for _, s := range v.list {
		partition, broker, found := strings.Cut(s, ":")
		pairs = pairs && (s == "" || found && digits(partition) && digits(broker))
	}
	if pairs || strings.Join(v.list, "") == "*" {
		return ""
	}
	return invalid(k.Name, v.java(k.Type), k.Name+
		" must be the literal '*' or a list of replicas in the following format: [partitionId]:[brokerId],[partitionId]:[brokerId],...")
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// checkAcquireMode is ShareAcquireMode.Validator: any case will do.
func checkAcquireMode(k *Key, v value) string {
	if w := strings.ToUpper(v.text); w == "BATCH_OPTIMIZED" || w == "RECORD_LIMIT" {
		return ""
	}
	return invalidTwice(k, v, "must either be 'batch_optimized' or 'record_limit'.")
}

// checkAcknowledgementMode is ShareAcknowledgementMode.Validator: lower case
// only.
func checkAcknowledgementMode(k *Key, v value) string {
	if v.text == "implicit" || v.text == "explicit" {
		return ""
	}
	return invalidTwice(k, v, "must either be 'implicit' or 'explicit'.")
}

// checkOffsetReset is AutoOffsetResetStrategy.Validator.
func checkOffsetReset(k *Key, v value) string {
	if v.text == "earliest" || v.text == "latest" || v.text == "none" {
		return ""
	}
	if _, ok := ResetDuration(v.text); ok {
		return ""
	}
	return invalidTwice(k, v, "must be either 'earliest', 'latest', 'none' or of the format 'by_duration:<PnDTnHnMn.nS.>'.")
}

// invalidTwice is the message of three validators of Kafka's that say what is
// wrong before ConfigException says it again.
func invalidTwice(k *Key, v value, must string) string {
	return invalid(k.Name, v.text, "Invalid value `"+v.text+"` for configuration "+k.Name+". The value "+must)
}
