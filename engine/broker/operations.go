package broker

// Operations that a resource may be authorized for, as a field of bits by
// their codes (AclOperation, AclEntry#supportedOperations). There is no
// authorizer: whoever asks may do all of them.
const (
	opRead, opWrite, opCreate, opDelete, opAlter, opDescribe = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8
	opClusterAction, opDescribeConfigs, opAlterConfigs       = 1 << 9, 1 << 10, 1 << 11
	opIdempotentWrite                                        = 1 << 12

	topicOperations   = opRead | opWrite | opCreate | opDelete | opAlter | opDescribe | opDescribeConfigs | opAlterConfigs
	clusterOperations = opCreate | opAlter | opDescribe | opClusterAction | opDescribeConfigs | opAlterConfigs | opIdempotentWrite
)
