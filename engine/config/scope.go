package config

// Scope is whose config it is. The same name may exist in several scopes and
// mean different things: compression.type of a topic may be "producer", that
// of a producer may not.
type Scope uint8

const (
	Topic Scope = iota
	Broker
	Producer
	Consumer
)

var scopeNames = [...]string{"topic", "broker", "producer", "consumer"}

func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return "unknown scope"
}

// Type is the type of a config's value, by Kafka's name (ConfigDef.Type).
type Type string

const (
	Boolean  Type = "BOOLEAN"
	String   Type = "STRING"
	Int      Type = "INT"
	Short    Type = "SHORT"
	Long     Type = "LONG"
	Double   Type = "DOUBLE"
	List     Type = "LIST"
	Class    Type = "CLASS"
	Password Type = "PASSWORD"
)

// typeCodes are in the order of their numbers, which start with 1; 0 is a
// config that Kafka does not know (DescribeConfigsResponse.ConfigType).
var typeCodes = [...]Type{Boolean, String, Int, Short, Long, Double, List, Class, Password}

// Code is the type's number in a DescribeConfigs response.
func (t Type) Code() int8 {
	for i, other := range typeCodes {
		if t == other {
			return int8(i + 1)
		}
	}
	return 0
}

// numeric tells whether values are whole numbers.
func (t Type) numeric() bool { return t == Int || t == Short || t == Long }

// Source is where a value in force comes from, by its number in a
// DescribeConfigs response (DescribeConfigsResponse.ConfigSource).
type Source int8

const (
	UnknownSource        Source = 0
	DynamicTopicConfig   Source = 1
	DynamicBrokerConfig  Source = 2 // set for this broker while it ran
	DynamicDefaultConfig Source = 3 // set for all brokers while they ran
	StaticBrokerConfig   Source = 4 // in the broker's properties
	DefaultConfig        Source = 5
)

var sourceNames = [...]string{
	"UNKNOWN", "DYNAMIC_TOPIC_CONFIG", "DYNAMIC_BROKER_CONFIG",
	"DYNAMIC_DEFAULT_BROKER_CONFIG", "STATIC_BROKER_CONFIG", "DEFAULT_CONFIG",
}

// String is the source as Kafka's tools print it, such as DEFAULT_CONFIG.
func (s Source) String() string {
	if s >= 0 && int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return sourceNames[UnknownSource]
}
