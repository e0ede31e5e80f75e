package fidelity

var storageRows = []Row{
	{"storage", "record batch v2", Exact, "61-byte header, varint records, CRC-32C over what the leader does not change.", "", "DefaultRecordBatch, DefaultRecord", "TestBuilderMatchesKafka"},
	{"storage", "compression codecs", Exact, "gzip, snappy (xerial and raw), lz4 frames and zstd are read and written; compressed bytes depend on the library, records do not.", "compression.type=producer", "CompressionType, KIP-390", "TestGoldenCodecs"},
	{"storage", "leader append", Exact, "Checks in Kafka's order, offsets and leader epoch stamped, all or nothing. Wrong offset deltas, which 4.4.0 stores, are refused.", "max.message.bytes=1048588", "UnifiedLog#append, LogValidator", "TestProduceCarriesOneBatch"},
	{"storage", "segment roll", Exact, "At append only: size, time between record timestamps, either index full, offset range.", "segment.bytes=1 GiB, segment.ms=7 d", "LogSegment#shouldRoll", "TestT16SizeRoll"},
	{"storage", "small segments", Exact, "internal.segment.bytes has no lower bound, as in Kafka's own tests; segment.bytes below 1 MiB is INVALID_CONFIG.", "segment.bytes >= 1048576", "LogConfig, KIP-1030", "TestScripts"},
	{"storage", "sparse offset index", Exact, "An entry (last offset, position) for the first batch after more than index.interval.bytes.", "index.interval.bytes=4096", "LogSegment#append", "TestT8SparseIndex"},
	{"storage", "time index", Exact, "The largest timestamp so far with each offset index entry, and once more at roll and close.", "index.interval.bytes=4096", "TimeIndex#maybeAppend", "TestT8SparseIndex"},
	{"storage", "offset seek", Exact, "Floor of the segments, warm-section binary search in the index, then batch headers.", "", "AbstractIndex#indexSlotRangeFor, LogSegment#read", "TestT13Fetch"},
	{"storage", "seek by timestamp", Exact, "First segment whose largest timestamp reaches the target, time index, offset index, then records.", "", "UnifiedLog#fetchOffsetByTimestamp", "TestT14TimestampLookup"},
	{"storage", "index files of an active segment", Simplified, "Kafka preallocates and maps them to segment.index.bytes; here they hold what is used. Closed ones are the same.", "segment.index.bytes=10 MiB", "AbstractIndex#resize", "TestGoldenAppend"},
	{"storage", "log directory", Exact, "Folder and file names, partition.metadata, meta.properties, checkpoints, .kafka_cleanshutdown.", "", "LogManager, CheckpointFile", "TestDataDirLayout"},
	{"storage", "files after the same appends", Exact, "Log, offset index, time index and leader epochs of every replica are Kafka's to the byte; producer snapshots hold ids and times that each cluster gives itself.", "", "LogSegment, AbstractIndex", "TestKafkaClientsSeeTheSame"},
	{"storage", "opening a closed log", Exact, "Nothing is scanned or truncated after a clean shutdown; the log end is where it was.", "", "LogLoader#load", "TestReopenDataDir"},
	{"storage", "log start offset", Exact, "DeleteRecords moves it; the next retention check takes the segments below it away.", "log.retention.check.interval.ms=300000", "UnifiedLog#maybeIncrementLogStartOffset, KIP-107", "TestTruncateMovesTheStart"},
	{"storage", "retention", Exact, "By log start, size and time, with Kafka's order, gates and check period; a run that would find nothing is not an event.", "retention.ms=7 d, log.retention.check.interval.ms=300000", "UnifiedLog#deleteOldSegments, LogManager#cleanupLogs", "TestRetentionTakesTheActiveSegment"},
	{"storage", "compaction", Exact, "Choice by ratio and lags, offset map, passes, grouping, horizons, markers, aborted data, swaps; files that Kafka's cleaner made come out byte for byte.", "min.cleanable.dirty.ratio=0.5, log.cleaner.backoff.ms=15000", "Cleaner, LogCleanerManager, KIP-534", "TestCleanerMakesKafkasBytes"},
	{"storage", "time that a pass takes", Simplified, "A pass goes phase by phase, each an event of its own, but takes no virtual time and is not throttled; one cleaner thread works, with the memory of one.", "log.cleaner.threads=1, log.cleaner.io.max.bytes.per.second", "LogCleaner, Throttler", "TestPassesBreakOffAnywhere"},
	{"storage", "a replica that fails to append", Exact, "The partition is given up until its leader epoch changes; the fetcher goes on with the others.", "", "AbstractFetcherThread#markPartitionFailed", "TestScripts"},
	{"storage", "configs without effect", Simplified, "A config whose part of the engine is not there is kept and described, and changes nothing: of a topic flush.ms, compression levels, tiering.", "", "assets/config, column honoured", "TestAlterConfigAnswers"},
	{"storage", "time of a folder that is opened again", Simplified, "Every run begins at 2026-01-01: new records are older than those of the run before.", "", "none: ours alone", "TestReopenDataDir"},
	{"storage", "fsync", Simplified, "Disks are in memory and know written from synced; syncing takes no virtual time.", "flush.messages=9223372036854775807", "UnifiedLog#flush", "TestCrashKeepsWhatWasSynced"},
}

var replicationRows = []Row{
	{"replication", "followers fetch", Exact, "A fetcher for each leader asks for all its partitions, appends, asks again; a parked fetch has to come back before a new partition joins.", "replica.fetch.wait.max.ms=500", "AbstractFetcherThread#doWork", "TestEveryRoundGivesTheSameViews"},
	{"replication", "high watermark", Exact, "The smallest log end among the replicas that count; frozen below min.insync.replicas; never back.", "min.insync.replicas=1", "Partition#maybeIncrementLeaderHW, KIP-966", "TestHighWatermarkFollowsTheISR"},
	{"replication", "how followers learn it", Exact, "With the answer to a fetch, as it was before that fetch: up to replica.fetch.wait.max.ms late on an idle partition.", "replica.fetch.wait.max.ms=500", "Partition#readRecords", "TestFollowersHearLate"},
	{"replication", "acks 0, 1, all", Exact, "Never answered, answered after the leader's append, answered when the high watermark is past the records.", "acks=all", "ReplicaManager#appendRecords, DelayedProduce", "TestAcks"},
	{"replication", "ISR shrink", Exact, "A follower that lacks records and was last caught up more than replica.lag.time.max.ms ago, at a check every half of that; or one whose broker is fenced.", "replica.lag.time.max.ms=30000", "Partition#maybeShrinkIsr", "TestScripts"},
	{"replication", "ISR expand", Exact, "On a follower's fetch, when it has reached the high watermark and the start of the leader's epoch; proposed to the controller with partition epochs.", "", "Partition#maybeExpandIsr, KIP-497", "TestScripts"},
	{"replication", "leader election", Exact, "The first live member of the ISR in assignment order, preferred and unclean by hand, preferred every five minutes.", "leader.imbalance.check.interval.seconds=300", "PartitionChangeBuilder#electLeader", "TestScripts"},
	{"replication", "truncation", Exact, "By leader epoch: the leader names epoch and offset up to which the logs may agree, the follower cuts there, step by step.", "", "KIP-101, KIP-279, KIP-595", "TestSimulation"},
	{"replication", "kill, crash, recovery", Exact, "A killed broker keeps what it wrote; a crashed machine what was synced and a part of the rest, drawn by the seed. Recovery is Kafka's.", "", "LogLoader, LogSegment#recover", "TestSimulation"},
	{"replication", "offsets of a new leader", Exact, "Until its high watermark has reached the start of its epoch it answers OFFSET_NOT_AVAILABLE (to versions before 5 LEADER_NOT_AVAILABLE) rather than an end that moves back.", "", "Partition#fetchOffsetForTimestamp, KIP-207", "TestUnsureLeader"},
	{"replication", "idle rounds", Simplified, "Rounds of fetches and heartbeats that would change nothing are not run; what they leave behind is computed. Under faults a round more or less may be run.", "", "none: ours alone", "TestEveryRoundGivesTheSameViews"},
	{"replication", "eligible leader replicas", Absent, "The cluster is formatted with eligible.leader.replicas.version=0.", "eligible.leader.replicas.version=1", "KIP-966", "TestBootstrapRecords"},
	{"replication", "reassignment", Absent, "A partition stays on the brokers where it was put.", "", "KIP-455", "TestNotAvailableYet"},
}

var controllerRows = []Row{
	{"controller", "metadata log", Exact, "Decisions are records of __cluster_metadata, in Kafka's encoding, which brokers fetch and replay.", "", "AbstractApiMessageSerde, common/metadata/*.json", "TestMetadataRecordBytes"},
	{"controller", "quorum", Absent, "One controller decides alone; there are no votes and no other voters.", "controller.quorum.voters", "KafkaRaftClient", "TestNotAvailableYet"},
	{"controller", "NoOp records", Absent, "An idle Kafka controller writes one each metadata.max.idle.interval.ms; ours writes none.", "metadata.max.idle.interval.ms=500", "QuorumController", "TestIdleMetadataLog"},
	{"controller", "registration", Exact, "A broker's epoch is the offset of its registration; it is unfenced once it has replayed that.", "broker.heartbeat.interval.ms=2000", "ClusterControlManager#registerBroker", "TestBrokersAreUnfencedAtTimeZero"},
	{"controller", "fencing", Exact, "A broker that is not heard from for its session is fenced: it leads nothing and leaves every ISR but one that would be empty.", "broker.session.timeout.ms=9000", "BrokerHeartbeatManager", "TestScripts"},
	{"controller", "controlled shutdown", Exact, "Leaders are moved first; the broker ends with a later heartbeat, when the others have heard. One that leads nothing ends at once.", "controlled.shutdown.enable=true", "BrokerHeartbeatManager#calculateNextBrokerState", "TestScripts"},
	{"controller", "controller's own failures", Absent, "The controller cannot be stopped or cut down.", "", "KafkaRaftClient", "TestNotAvailableYet"},
	{"controller", "creating topics", Exact, "Kafka's checks, codes and words.", "num.partitions=1", "ReplicationControlManager#createTopics", "TestCreateTopicAnswers"},
	{"controller", "placement", Simplified, "A create over the wire is striped as Kafka stripes it, by the seed. Racks are kept and not looked at.", "default.replication.factor=1", "StripedReplicaPlacer", "TestPlacementStripes"},
	{"controller", "deleting topics", Exact, "Replicas are renamed to TOPIC-PARTITION.ID-delete at once, their files go after file.delete.delay.ms.", "file.delete.delay.ms=60000", "LogManager#asyncDelete", "TestDeleteTopic"},
	{"controller", "configs", Exact, "Names, types, ranges, defaults, sources and the words of a refusal.", "", "ConfigDef, LogConfig, ConfigurationControlManager", "TestAlterConfigAnswers"},
}

var protocolRows = []Row{
	{"protocol", "messages", Exact, "Every message between nodes is encoded and decoded as on the wire, header included.", "", "clients/common/message/*.json", "TestWireRoundTrip"},
	{"protocol", "one request at a time", Exact, "The requests of a connection are answered in order; while one waits, the next is not read.", "", "SocketServer", "TestChannelsAreMuted"},
	{"protocol", "handshake", Absent, "Connections inside the process skip ApiVersions, and those between nodes are there at once; versions are those of Kafka 4.4.", "", "NetworkClient", "TestApiVersionsAreServed"},
	{"protocol", "fetch sessions", Exact, "Brokers keep the sessions that consumers and followers open, with Kafka's shards, slots, eviction and errors; followers fetch within sessions. A session's epoch counts the rounds that were run, not the idle ones that were skipped.", "max.incremental.fetch.session.cache.slots=1000", "FetchSession, FetchSessionHandler, KIP-227", "TestFetchSession"},
	{"protocol", "fetch sessions of the stand-alone reader", Simplified, "It asks for no session: each of its fetches is a full one.", "one session a broker", "FetchSessionHandler", "TestFetchAnswers"},
	{"protocol", "dates", Simplified, "A cluster of the lab lives on 2026-01-01. Opened to real clients it is brought to today, all that has happened in it too, unless its records carry times of their own.", "message.timestamp.after.max.ms=3600000", "LogValidator", "TestRedate"},
	{"protocol", "purgatories", Exact, "Produces wait for the high watermark, fetches for data, deletes for the replicas, each up to its time-out.", "", "DelayedProduce, DelayedFetch, DelayedDeleteRecords", "TestAcks"},
	{"protocol", "automatic topic creation", Exact, "A Metadata request that names a topic that is not there, and allows it, has the controller create it; the client asks again. A coordinator's topic gets its own configs.", "auto.create.topics.enable=true", "DefaultAutoTopicCreationManager", "TestRawRequests"},
	{"protocol", "what is served", Simplified, "18 of Kafka's requests, each in all versions of Kafka 4.4 and no other: those of producers, of readers without a group, of topics, configs and cluster. What is not served is not listed and ends its connection.", "", "ApiKeys, KIP-35", "TestApiVersionsAreServed"},
	{"protocol", "answers to wrong requests", Exact, "Names, counts, assignments, batches, sequences, epochs, offsets, configs with values in and out of range: codes, words and every field as Kafka 4.4.0 answered.", "", "KafkaApis, ControllerApis", "TestRawRequests"},
	{"protocol", "Kafka's own tools", Exact, "kafka-topics, -configs, -console-producer, -console-consumer with --partition, -get-offsets, -delete-records, -log-dirs, -leader-election, -producer-perf-test, -broker-api-versions, -cluster and -features print against our brokers what they print against Kafka's, exit status included, in 200 situations, with a broker killed and come back too.", "", "org.apache.kafka.tools", "TestKafkaToolsPrintTheSame"},
	{"protocol", "real clients", Exact, "Programs of Kafka's Java clients and of franz-go see the same offsets, errors, kinds of timestamps, bytes of batches, configs and descriptions as of Kafka.", "", "KafkaProducer, KafkaConsumer, KafkaAdminClient", "TestKafkaClientsSeeTheSame"},
	{"protocol", "requests over which Kafka stumbles", Simplified, "Produce without a records field and AlterConfigs of one resource twice are never answered by Kafka, for an exception; ours refuses them.", "", "KafkaRequestHandler", "TestStrangeRequests"},
	{"protocol", "order of lists in answers", Simplified, "By name, or as asked for; Kafka's is that of a hash map, and of DeleteTopics by chance.", "", "none: ours alone", "TestRawRequests"},
	{"protocol", "authorization", Absent, "There is no authorizer: whoever asks may do all, and is told so.", "authorizer.class.name", "AuthHelper", "TestRawRequests"},
	{"protocol", "documentation of configs", Absent, "DescribeConfigs gives values, sources, synonyms and types; Kafka's text about each config is not there.", "", "ConfigHelper", "TestRawRequests"},
	{"protocol", "loggers, client metrics, configs of groups", Absent, "Described as nothing that is set; a change of a logger answers that there is no such logger, the others are refused.", "", "ConfigAdminManager", "TestRawRequests"},
	{"protocol", "configs of listeners and plug-ins", Simplified, "Kept and described; values that Kafka could not use (listeners, connection limits, metric.reporters, ssl and sasl) are not refused.", "", "DynamicListenerConfig, DynamicMetricsReporters", "TestRawRequests"},
	{"protocol", "size of the volume", Simplified, "DescribeLogDirs says 1 TiB, less what the logs take.", "", "ReplicaManager#describeLogDirs", "TestRawRequests"},
	{"protocol", "blocks of producer ids", Exact, "1000 ids at a time, the next block asked for when 900 are used; the very first producer has to come again.", "", "RPCProducerIdManager", "TestProducerIDsAreFetchedAhead"},
}

var clientRows = []Row{
	{"clients", "plain client", Simplified, "The lab's own: metadata before each command, no retries, no idempotence, five requests in flight; it hears the broker's answer. Its connections need no time to be made, but for acks=0.", "acks=all", "none: ours alone", "TestScripts"},
	{"clients", "partitioner", Exact, "murmur2 of the key; records without a key stick to one partition of their topic for batch.size bytes of batches, then another is drawn from those with a leader, a long queue less often. RoundRobinPartitioner is the only class beside.", "partitioner.class=null", "BuiltInPartitioner, RoundRobinPartitioner, KIP-480, KIP-794", "TestStickyLoads"},
	{"clients", "partitioner's racks", Absent, "partitioner.rack.aware is accepted and not looked at.", "partitioner.rack.aware=false", "BuiltInPartitioner, KIP-1123", "TestScripts"},
	{"clients", "stand-alone reader", Exact, "Drops what a batch holds before the offset asked for; control records and aborted data never reach it.", "isolation.level=read_uncommitted", "CompletedFetch", "TestReaderDropsWhatLiesBefore"},
	{"clients", "named producers", Exact, "Batches by batch.size and linger.ms, one request a broker with the first batch of each partition, five in flight, retries with back-off within delivery.timeout.ms, metadata by age, after errors and after the end of a connection.", "linger.ms=5, batch.size=16384", "RecordAccumulator, Sender, ProducerMetadata", "TestScripts"},
	{"clients", "producers' connections", Exact, "One to each broker, made when there is something to send, with its back-off and time-outs; nothing is sent without one, and a request whose time is up ends it with all others on it.", "reconnect.backoff.ms=50, request.timeout.ms=30000", "NetworkClient, ClusterConnectionStates", "TestScripts"},
	{"clients", "idle producers", Simplified, "One that has nothing to send looks for lost brokers and for its id for max.block.ms, and refreshes metadata while a topic is in use; Kafka's goes on for ever.", "metadata.max.age.ms=300000", "Sender, NetworkClient", "TestScripts"},
	{"clients", "idempotence", Exact, "Producer id and sequences, a new epoch after a gap; the broker remembers five batches and answers a repeated one without appending it.", "enable.idempotence=true", "ProducerStateManager, TransactionManager, KIP-98, KIP-360", "TestScripts"},
	{"clients", "producer details", Simplified, "No jitter in the back-off of batches and metadata, no splitting of batches that are too large, buffer.memory without end; who is asked for metadata is not drawn.", "buffer.memory=33554432", "KafkaProducer, NetworkClient#leastLoadedNode", "TestScripts"},
	{"clients", "consumers and transactions", Absent, "Consumer groups and transactions are not there yet.", "", "KafkaConsumer, TransactionCoordinator", "TestNotAvailableYet"},
	{"clients", "links", Simplified, "A cut link holds messages back until it is healed, as TCP does; it keeps their order and has no retransmission times. An answer that is lost takes its connection with it.", "", "none: ours alone", "TestLostAnswerEndsItsConnection"},
}

var timeRows = []Row{
	{"time", "virtual clock", Simplified, "The clock jumps from event to event; handling takes no time, a message takes 1 ms each way.", "", "none: ours alone", "TestSameSeedSameBytes"},
	{"time", "checkpoint tasks", Exact, "High watermarks each 5 s, recovery points and start offsets each 60 s, on Kafka's grid; a file that would be the same is not written.", "replica.high.watermark.checkpoint.interval.ms=5000", "ReplicaManager, LogManager", "TestCheckpointFiles"},
}
