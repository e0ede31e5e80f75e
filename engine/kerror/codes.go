package kerror

// The codes of Kafka 4.4, in the order of Errors.java.
const (
	UnknownServerError                     Code = -1
	None                                   Code = 0
	OffsetOutOfRange                       Code = 1
	CorruptMessage                         Code = 2
	UnknownTopicOrPartition                Code = 3
	InvalidFetchSize                       Code = 4
	LeaderNotAvailable                     Code = 5
	NotLeaderOrFollower                    Code = 6
	RequestTimedOut                        Code = 7
	BrokerNotAvailable                     Code = 8
	ReplicaNotAvailable                    Code = 9
	MessageTooLarge                        Code = 10
	StaleControllerEpoch                   Code = 11
	OffsetMetadataTooLarge                 Code = 12
	NetworkException                       Code = 13
	CoordinatorLoadInProgress              Code = 14
	CoordinatorNotAvailable                Code = 15
	NotCoordinator                         Code = 16
	InvalidTopicException                  Code = 17
	RecordListTooLarge                     Code = 18
	NotEnoughReplicas                      Code = 19
	NotEnoughReplicasAfterAppend           Code = 20
	InvalidRequiredAcks                    Code = 21
	IllegalGeneration                      Code = 22
	InconsistentGroupProtocol              Code = 23
	InvalidGroupId                         Code = 24
	UnknownMemberId                        Code = 25
	InvalidSessionTimeout                  Code = 26
	RebalanceInProgress                    Code = 27
	InvalidCommitOffsetSize                Code = 28
	TopicAuthorizationFailed               Code = 29
	GroupAuthorizationFailed               Code = 30
	ClusterAuthorizationFailed             Code = 31
	InvalidTimestamp                       Code = 32
	UnsupportedSaslMechanism               Code = 33
	IllegalSaslState                       Code = 34
	UnsupportedVersion                     Code = 35
	TopicAlreadyExists                     Code = 36
	InvalidPartitions                      Code = 37
	InvalidReplicationFactor               Code = 38
	InvalidReplicaAssignment               Code = 39
	InvalidConfig                          Code = 40
	NotController                          Code = 41
	InvalidRequest                         Code = 42
	UnsupportedForMessageFormat            Code = 43
	PolicyViolation                        Code = 44
	OutOfOrderSequenceNumber               Code = 45
	DuplicateSequenceNumber                Code = 46
	InvalidProducerEpoch                   Code = 47
	InvalidTxnState                        Code = 48
	InvalidProducerIdMapping               Code = 49
	InvalidTransactionTimeout              Code = 50
	ConcurrentTransactions                 Code = 51
	TransactionCoordinatorFenced           Code = 52
	TransactionalIdAuthorizationFailed     Code = 53
	SecurityDisabled                       Code = 54
	OperationNotAttempted                  Code = 55
	KafkaStorageError                      Code = 56
	LogDirNotFound                         Code = 57
	SaslAuthenticationFailed               Code = 58
	UnknownProducerId                      Code = 59
	ReassignmentInProgress                 Code = 60
	DelegationTokenAuthDisabled            Code = 61
	DelegationTokenNotFound                Code = 62
	DelegationTokenOwnerMismatch           Code = 63
	DelegationTokenRequestNotAllowed       Code = 64
	DelegationTokenAuthorizationFailed     Code = 65
	DelegationTokenExpired                 Code = 66
	InvalidPrincipalType                   Code = 67
	NonEmptyGroup                          Code = 68
	GroupIdNotFound                        Code = 69
	FetchSessionIdNotFound                 Code = 70
	InvalidFetchSessionEpoch               Code = 71
	ListenerNotFound                       Code = 72
	TopicDeletionDisabled                  Code = 73
	FencedLeaderEpoch                      Code = 74
	UnknownLeaderEpoch                     Code = 75
	UnsupportedCompressionType             Code = 76
	StaleBrokerEpoch                       Code = 77
	OffsetNotAvailable                     Code = 78
	MemberIdRequired                       Code = 79
	PreferredLeaderNotAvailable            Code = 80
	GroupMaxSizeReached                    Code = 81
	FencedInstanceId                       Code = 82
	EligibleLeadersNotAvailable            Code = 83
	ElectionNotNeeded                      Code = 84
	NoReassignmentInProgress               Code = 85
	GroupSubscribedToTopic                 Code = 86
	InvalidRecord                          Code = 87
	UnstableOffsetCommit                   Code = 88
	ThrottlingQuotaExceeded                Code = 89
	ProducerFenced                         Code = 90
	ResourceNotFound                       Code = 91
	DuplicateResource                      Code = 92
	UnacceptableCredential                 Code = 93
	InconsistentVoterSet                   Code = 94
	InvalidUpdateVersion                   Code = 95
	FeatureUpdateFailed                    Code = 96
	PrincipalDeserializationFailure        Code = 97
	SnapshotNotFound                       Code = 98
	PositionOutOfRange                     Code = 99
	UnknownTopicId                         Code = 100
	DuplicateBrokerRegistration            Code = 101
	BrokerIdNotRegistered                  Code = 102
	InconsistentTopicId                    Code = 103
	InconsistentClusterId                  Code = 104
	TransactionalIdNotFound                Code = 105
	FetchSessionTopicIdError               Code = 106
	IneligibleReplica                      Code = 107
	NewLeaderElected                       Code = 108
	OffsetMovedToTieredStorage             Code = 109
	FencedMemberEpoch                      Code = 110
	UnreleasedInstanceId                   Code = 111
	UnsupportedAssignor                    Code = 112
	StaleMemberEpoch                       Code = 113
	MismatchedEndpointType                 Code = 114
	UnsupportedEndpointType                Code = 115
	UnknownControllerId                    Code = 116
	UnknownSubscriptionId                  Code = 117
	TelemetryTooLarge                      Code = 118
	InvalidRegistration                    Code = 119
	TransactionAbortable                   Code = 120
	InvalidRecordState                     Code = 121
	ShareSessionNotFound                   Code = 122
	InvalidShareSessionEpoch               Code = 123
	FencedStateEpoch                       Code = 124
	InvalidVoterKey                        Code = 125
	DuplicateVoter                         Code = 126
	VoterNotFound                          Code = 127
	InvalidRegularExpression               Code = 128
	RebootstrapRequired                    Code = 129
	StreamsInvalidTopology                 Code = 130
	StreamsInvalidTopologyEpoch            Code = 131
	StreamsTopologyFenced                  Code = 132
	ShareSessionLimitReached               Code = 133
	GroupDeletionFailed                    Code = 134
	StreamsTopologyDescriptionUpdateFailed Code = 135
	ControllerIdNotRegistered              Code = 136
)

// table has one row a code, ascending, the first being -1.
var table = []row{
	{"UNKNOWN_SERVER_ERROR", false},
	{"NONE", false},
	{"OFFSET_OUT_OF_RANGE", false},
	{"CORRUPT_MESSAGE", true},
	{"UNKNOWN_TOPIC_OR_PARTITION", true},
	{"INVALID_FETCH_SIZE", false},
	{"LEADER_NOT_AVAILABLE", true},
	{"NOT_LEADER_OR_FOLLOWER", true},
	{"REQUEST_TIMED_OUT", true},
	{"BROKER_NOT_AVAILABLE", false},
	{"REPLICA_NOT_AVAILABLE", true},
	{"MESSAGE_TOO_LARGE", false},
	{"STALE_CONTROLLER_EPOCH", false},
	{"OFFSET_METADATA_TOO_LARGE", false},
	{"NETWORK_EXCEPTION", true},
	{"COORDINATOR_LOAD_IN_PROGRESS", true},
	{"COORDINATOR_NOT_AVAILABLE", true},
	{"NOT_COORDINATOR", true},
	{"INVALID_TOPIC_EXCEPTION", false},
	{"RECORD_LIST_TOO_LARGE", false},
	{"NOT_ENOUGH_REPLICAS", true},
	{"NOT_ENOUGH_REPLICAS_AFTER_APPEND", true},
	{"INVALID_REQUIRED_ACKS", false},
	{"ILLEGAL_GENERATION", false},
	{"INCONSISTENT_GROUP_PROTOCOL", false},
	{"INVALID_GROUP_ID", false},
	{"UNKNOWN_MEMBER_ID", false},
	{"INVALID_SESSION_TIMEOUT", false},
	{"REBALANCE_IN_PROGRESS", false},
	{"INVALID_COMMIT_OFFSET_SIZE", false},
	{"TOPIC_AUTHORIZATION_FAILED", false},
	{"GROUP_AUTHORIZATION_FAILED", false},
	{"CLUSTER_AUTHORIZATION_FAILED", false},
	{"INVALID_TIMESTAMP", false},
	{"UNSUPPORTED_SASL_MECHANISM", false},
	{"ILLEGAL_SASL_STATE", false},
	{"UNSUPPORTED_VERSION", false},
	{"TOPIC_ALREADY_EXISTS", false},
	{"INVALID_PARTITIONS", false},
	{"INVALID_REPLICATION_FACTOR", false},
	{"INVALID_REPLICA_ASSIGNMENT", false},
	{"INVALID_CONFIG", false},
	{"NOT_CONTROLLER", true},
	{"INVALID_REQUEST", false},
	{"UNSUPPORTED_FOR_MESSAGE_FORMAT", false},
	{"POLICY_VIOLATION", false},
	{"OUT_OF_ORDER_SEQUENCE_NUMBER", false},
	{"DUPLICATE_SEQUENCE_NUMBER", false},
	{"INVALID_PRODUCER_EPOCH", false},
	{"INVALID_TXN_STATE", false},
	{"INVALID_PRODUCER_ID_MAPPING", false},
	{"INVALID_TRANSACTION_TIMEOUT", false},
	{"CONCURRENT_TRANSACTIONS", true},
	{"TRANSACTION_COORDINATOR_FENCED", false},
	{"TRANSACTIONAL_ID_AUTHORIZATION_FAILED", false},
	{"SECURITY_DISABLED", false},
	{"OPERATION_NOT_ATTEMPTED", false},
	{"KAFKA_STORAGE_ERROR", true},
	{"LOG_DIR_NOT_FOUND", false},
	{"SASL_AUTHENTICATION_FAILED", false},
	{"UNKNOWN_PRODUCER_ID", false},
	{"REASSIGNMENT_IN_PROGRESS", false},
	{"DELEGATION_TOKEN_AUTH_DISABLED", false},
	{"DELEGATION_TOKEN_NOT_FOUND", false},
	{"DELEGATION_TOKEN_OWNER_MISMATCH", false},
	{"DELEGATION_TOKEN_REQUEST_NOT_ALLOWED", false},
	{"DELEGATION_TOKEN_AUTHORIZATION_FAILED", false},
	{"DELEGATION_TOKEN_EXPIRED", false},
	{"INVALID_PRINCIPAL_TYPE", false},
	{"NON_EMPTY_GROUP", false},
	{"GROUP_ID_NOT_FOUND", false},
	{"FETCH_SESSION_ID_NOT_FOUND", true},
	{"INVALID_FETCH_SESSION_EPOCH", true},
	{"LISTENER_NOT_FOUND", true},
	{"TOPIC_DELETION_DISABLED", false},
	{"FENCED_LEADER_EPOCH", true},
	{"UNKNOWN_LEADER_EPOCH", true},
	{"UNSUPPORTED_COMPRESSION_TYPE", false},
	{"STALE_BROKER_EPOCH", false},
	{"OFFSET_NOT_AVAILABLE", true},
	{"MEMBER_ID_REQUIRED", false},
	{"PREFERRED_LEADER_NOT_AVAILABLE", true},
	{"GROUP_MAX_SIZE_REACHED", false},
	{"FENCED_INSTANCE_ID", false},
	{"ELIGIBLE_LEADERS_NOT_AVAILABLE", true},
	{"ELECTION_NOT_NEEDED", true},
	{"NO_REASSIGNMENT_IN_PROGRESS", false},
	{"GROUP_SUBSCRIBED_TO_TOPIC", false},
	{"INVALID_RECORD", false},
	{"UNSTABLE_OFFSET_COMMIT", true},
	{"THROTTLING_QUOTA_EXCEEDED", true},
	{"PRODUCER_FENCED", false},
	{"RESOURCE_NOT_FOUND", false},
	{"DUPLICATE_RESOURCE", false},
	{"UNACCEPTABLE_CREDENTIAL", false},
	{"INCONSISTENT_VOTER_SET", false},
	{"INVALID_UPDATE_VERSION", false},
	{"FEATURE_UPDATE_FAILED", false},
	{"PRINCIPAL_DESERIALIZATION_FAILURE", false},
	{"SNAPSHOT_NOT_FOUND", false},
	{"POSITION_OUT_OF_RANGE", false},
	{"UNKNOWN_TOPIC_ID", true},
	{"DUPLICATE_BROKER_REGISTRATION", false},
	{"BROKER_ID_NOT_REGISTERED", false},
	{"INCONSISTENT_TOPIC_ID", true},
	{"INCONSISTENT_CLUSTER_ID", false},
	{"TRANSACTIONAL_ID_NOT_FOUND", false},
	{"FETCH_SESSION_TOPIC_ID_ERROR", true},
	{"INELIGIBLE_REPLICA", false},
	{"NEW_LEADER_ELECTED", false},
	{"OFFSET_MOVED_TO_TIERED_STORAGE", false},
	{"FENCED_MEMBER_EPOCH", false},
	{"UNRELEASED_INSTANCE_ID", false},
	{"UNSUPPORTED_ASSIGNOR", false},
	{"STALE_MEMBER_EPOCH", false},
	{"MISMATCHED_ENDPOINT_TYPE", false},
	{"UNSUPPORTED_ENDPOINT_TYPE", false},
	{"UNKNOWN_CONTROLLER_ID", false},
	{"UNKNOWN_SUBSCRIPTION_ID", false},
	{"TELEMETRY_TOO_LARGE", false},
	{"INVALID_REGISTRATION", false},
	{"TRANSACTION_ABORTABLE", false},
	{"INVALID_RECORD_STATE", false},
	{"SHARE_SESSION_NOT_FOUND", true},
	{"INVALID_SHARE_SESSION_EPOCH", true},
	{"FENCED_STATE_EPOCH", false},
	{"INVALID_VOTER_KEY", false},
	{"DUPLICATE_VOTER", false},
	{"VOTER_NOT_FOUND", false},
	{"INVALID_REGULAR_EXPRESSION", false},
	{"REBOOTSTRAP_REQUIRED", false},
	{"STREAMS_INVALID_TOPOLOGY", false},
	{"STREAMS_INVALID_TOPOLOGY_EPOCH", false},
	{"STREAMS_TOPOLOGY_FENCED", false},
	{"SHARE_SESSION_LIMIT_REACHED", true},
	{"GROUP_DELETION_FAILED", false},
	{"STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED", false},
	{"CONTROLLER_ID_NOT_REGISTERED", false},
}
