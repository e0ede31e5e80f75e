import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What a program of Kafka's Java clients sees of a cluster, line by line:
 * Observe.java BOOTSTRAP. Ids and times of day go by what they are.
 */
public class Observe {
    static final long FIXED = 1_700_000_000_000L;
    static String bootstrap;

    interface Question {
        Object ask() throws Exception;
    }

    static void see(String what, Question q) {
        String answer;
        try {
            answer = String.valueOf(q.ask());
        } catch (ExecutionException e) {
            answer = e.getCause().getClass().getSimpleName() + ": " + e.getCause().getMessage();
        } catch (Exception e) {
            answer = e.getClass().getSimpleName() + ": " + e.getMessage();
        }
        System.out.println("SAW " + what + ": " + answer.replace('\n', ' '));
    }

    public static void main(String[] args) throws Exception {
        bootstrap = args[0];
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap, "request.timeout.ms", 10000, "default.api.timeout.ms", 15000))) {
            topics(admin);
            producers();
            offsets(admin);
            consumers();
            rest(admin);
        }
    }

    static void topics(Admin admin) throws Exception {
        Map<Integer, List<Integer>> places = new TreeMap<>(Map.of(0, List.of(1, 2, 3), 1, List.of(2, 3, 1)));
        see("create", () -> admin.createTopics(List.of(new NewTopic("o", places).configs(Map.of("retention.ms", "-1")))).config("o").get().entries().size() > 20);
        see("create again", () -> admin.createTopics(List.of(new NewTopic("o", places))).all().get());
        see("create with defaults", () -> admin.createTopics(List.of(new NewTopic("d", Optional.empty(), Optional.empty()))).numPartitions("d").get());
        for (Map.Entry<String, String> bad : new TreeMap<>(Map.of("max.message.bytes", "-5", "no.such", "1", "cleanup.policy", "sometimes", "segment.bytes", "10")).entrySet())
            see("create with " + bad, () -> admin.createTopics(List.of(new NewTopic("bad", 1, (short) 1).configs(Map.ofEntries(bad)))).all().get());
        Map<Integer, List<Integer>> gap = new TreeMap<>(Map.of(0, List.of(1), 2, List.of(1))), uneven = new TreeMap<>(Map.of(0, List.of(1, 2), 1, List.of(1))), unknown = Map.of(0, List.of(7));
        for (Map<Integer, List<Integer>> m : List.of(gap, uneven, unknown))
            see("create on " + m, () -> admin.createTopics(List.of(new NewTopic("bad", m))).all().get());
        see("add partitions", () -> admin.createPartitions(Map.of("o", NewPartitions.increaseTo(3, List.of(List.of(3, 1, 2))))).all().get());
        see("add partitions on two brokers of three", () -> admin.createPartitions(Map.of("o", NewPartitions.increaseTo(4, List.of(List.of(3, 1))))).all().get());
        see("add on too many", () -> admin.createPartitions(Map.of("o", NewPartitions.increaseTo(4, List.of(List.of(3, 1, 2), List.of(1, 2, 3))))).all().get());
        Thread.sleep(1000);
        DescribeTopicsOptions all = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        see("describe", () -> describe(admin.describeTopics(List.of("o"), all).allTopicNames().get().get("o")));
        see("describe none", () -> admin.describeTopics(List.of("nosuch")).allTopicNames().get());
        Uuid id = admin.describeTopics(List.of("o")).allTopicNames().get().get("o").topicId();
        see("describe by id", () -> describe(admin.describeTopics(TopicCollection.ofTopicIds(List.of(id)), all).allTopicIds().get().get(id)));
        see("describe by another id", () -> admin.describeTopics(TopicCollection.ofTopicIds(List.of(new Uuid(1, 2)))).allTopicIds().get());
        see("delete by another id", () -> admin.deleteTopics(TopicCollection.ofTopicIds(List.of(new Uuid(1, 2)))).all().get());
        Uuid d = admin.describeTopics(List.of("d")).allTopicNames().get().get("d").topicId();
        see("delete by id", () -> admin.deleteTopics(TopicCollection.ofTopicIds(List.of(d))).all().get());
        Thread.sleep(500);
        see("list", () -> admin.listTopics().names().get().stream().filter(n -> n.length() == 1).collect(Collectors.toCollection(TreeSet::new)));
    }

    static String describe(org.apache.kafka.clients.admin.TopicDescription t) {
        StringBuilder b = new StringBuilder(t.name() + " internal " + t.isInternal() + " operations " + new TreeSet<>(t.authorizedOperations()));
        for (TopicPartitionInfo p : t.partitions())
            b.append(" | ").append(p.partition()).append(" leader ").append(p.leader().id()).append(" replicas ").append(ids(p.replicas())).append(" isr ").append(ids(p.isr()))
                .append(" elr ").append(p.elr()).append(" last known ").append(p.lastKnownElr());
        return b.toString();
    }

    static List<Integer> ids(Collection<org.apache.kafka.common.Node> nodes) {
        return nodes.stream().map(org.apache.kafka.common.Node::id).collect(Collectors.toList());
    }

    static KafkaProducer<String, String> producer(String... configs) {
        Properties p = new Properties();
        p.putAll(Map.of("bootstrap.servers", bootstrap, "linger.ms", "50", "delivery.timeout.ms", "10000", "request.timeout.ms", "5000", "max.block.ms", "3000"));
        for (int i = 0; i + 1 < configs.length; i += 2)
            p.put(configs[i], configs[i + 1]);
        return new KafkaProducer<>(p, new StringSerializer(), new StringSerializer());
    }

    static String sent(RecordMetadata m) {
        return m.topic() + "-" + m.partition() + "@" + m.offset() + " at " + when(m.timestamp()) + " sizes " + m.serializedKeySize() + " " + m.serializedValueSize();
    }

    static String when(long ms) { return ms > FIXED + 1_000_000_000 ? "now" : Long.toString(ms); }

    static void producers() throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd"))
            try (KafkaProducer<String, String> p = producer("compression.type", codec)) {
                for (int n = 0; n < 4; n++) {
                    int at = n;
                    see("send " + codec, () -> sent(p.send(new ProducerRecord<>("o", at % 2, FIXED + at * 1000L, "k" + at, at == 3 ? null : "v" + at)).get()));
                }
            }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("s", Map.of(0, List.of(1, 2, 3))).configs(Map.of("max.message.bytes", "2000", "retention.ms", "-1")),
                new NewTopic("a", Map.of(0, List.of(2, 3, 1))).configs(Map.of("message.timestamp.type", "LogAppendTime")),
                new NewTopic("m", Map.of(0, List.of(2, 3))).configs(Map.of("min.insync.replicas", "3")),
                new NewTopic("c", Map.of(0, List.of(3, 1))).configs(Map.of("cleanup.policy", "compact")))).all().get();
            Thread.sleep(1000);
        }
        try (KafkaProducer<String, String> p = producer("retries", "2", "retry.backoff.ms", "50")) {
            see("append time", () -> sent(p.send(new ProducerRecord<>("a", 0, FIXED, "k", "v")).get()));
            see("no key where keys decide", () -> sent(p.send(new ProducerRecord<>("c", 0, FIXED, null, "v")).get()));
            see("a key where keys decide", () -> sent(p.send(new ProducerRecord<>("c", 0, FIXED, "k", "v")).get()));
            see("too large", () -> sent(p.send(new ProducerRecord<>("s", 0, FIXED, "k", "v".repeat(3000))).get()));
            see("larger than a request", () -> sent(p.send(new ProducerRecord<>("s", 0, FIXED, "k", "v".repeat(2_000_000))).get()));
            see("too few replicas", () -> sent(p.send(new ProducerRecord<>("m", 0, FIXED, "k", "v")).get()));
            see("no such partition", () -> sent(p.send(new ProducerRecord<>("o", 9, FIXED, "k", "v")).get()));
            see("a bad name", () -> sent(p.send(new ProducerRecord<>("no name", 0, FIXED, "k", "v")).get()));
            see("the future", () -> sent(p.send(new ProducerRecord<>("o", 0, FIXED * 2, "k", "v")).get()));
            see("partitions", () -> partitions(p.partitionsFor("o")));
            see("made by itself", () -> sent(p.send(new ProducerRecord<>("made", null, FIXED, "k", "v")).get()));
        }
        // A batch that is too large is split by the producer and sent again.
        try (KafkaProducer<String, String> p = producer("batch.size", "100000", "linger.ms", "200")) {
            List<java.util.concurrent.Future<RecordMetadata>> all = new java.util.ArrayList<>();
            for (int n = 0; n < 30; n++)
                all.add(p.send(new ProducerRecord<>("s", 0, FIXED + n, "k" + n, "v".repeat(300))));
            for (java.util.concurrent.Future<RecordMetadata> f : all)
                see("split", () -> sent(f.get()));
        }
    }

    static Object partitions(List<PartitionInfo> list) {
        return list.stream().map(p -> p.partition() + " leader " + p.leader().id() + " replicas " + p.replicas().length + " isr " + p.inSyncReplicas().length).sorted().collect(Collectors.toList());
    }

    static void offsets(Admin admin) {
        TreeMap<String, OffsetSpec> specs = new TreeMap<>(Map.of("earliest", OffsetSpec.earliest(), "latest", OffsetSpec.latest(), "max timestamp", OffsetSpec.maxTimestamp(),
            "earliest local", OffsetSpec.earliestLocal(), "latest tiered", OffsetSpec.latestTiered(), "at a time", OffsetSpec.forTimestamp(FIXED + 1500), "too late", OffsetSpec.forTimestamp(FIXED * 2)));
        specs.forEach((name, spec) -> {
            for (int p : List.of(0, 1, 2))
                see(name + " of " + p, () -> {
                    var r = admin.listOffsets(Map.of(new TopicPartition("o", p), spec)).all().get().get(new TopicPartition("o", p));
                    return r.offset() + " time " + r.timestamp() + " epoch " + r.leaderEpoch();
                });
        });
        TopicPartition o = new TopicPartition("o", 1);
        for (long before : List.of(3L, 99L, 2L, -1L))
            see("delete before " + before, () -> admin.deleteRecords(Map.of(o, RecordsToDelete.beforeOffset(before))).lowWatermarks().get(o).get().lowWatermark());
    }

    static KafkaConsumer<String, String> consumer(String... configs) {
        Properties p = new Properties();
        p.putAll(Map.of("bootstrap.servers", bootstrap, "enable.auto.commit", "false", "default.api.timeout.ms", "2500", "request.timeout.ms", "2500"));
        for (int i = 0; i + 1 < configs.length; i += 2)
            p.put(configs[i], configs[i + 1]);
        return new KafkaConsumer<>(p, new StringDeserializer(), new StringDeserializer());
    }

    static String read(KafkaConsumer<String, String> c, int n) {
        StringBuilder b = new StringBuilder();
        long end = System.nanoTime() + Duration.ofMillis(n == 0 ? 500 : 5000).toNanos();
        int got = 0;
        while (System.nanoTime() < end && (n == 0 || got < n))
            for (ConsumerRecord<String, String> r : c.poll(Duration.ofMillis(100))) {
                got++;
                b.append(" | ").append(r.partition()).append('@').append(r.offset()).append(' ').append(when(r.timestamp())).append(' ').append(r.timestampType())
                    .append(" epoch ").append(r.leaderEpoch()).append(' ').append(r.key()).append('=').append(r.value() == null ? null : r.value().length());
            }
        return b + " position " + c.assignment().stream().map(p -> p + " " + c.position(p) + (n == 0 ? "" : " lag " + c.currentLag(p))).sorted().collect(Collectors.toList());
    }

    static void consumers() {
        TopicPartition o0 = new TopicPartition("o", 0), o1 = new TopicPartition("o", 1), o2 = new TopicPartition("o", 2), a = new TopicPartition("a", 0);
        for (String reset : List.of("earliest", "latest", "none", "by_duration:PT1H"))
            for (long from : List.of(-1L, 0L, 4L, 12L, 500L))
                see("read from " + from + " reset " + reset, () -> {
                    try (KafkaConsumer<String, String> c = consumer("auto.offset.reset", reset)) {
                        c.assign(List.of(from == 12 ? o1 : o0));
                        if (from >= 0)
                            c.seek(from == 12 ? o1 : o0, from);
                        boolean some = from == 4 || from == 0 || (reset.equals("earliest") && from != 12);
                        return read(c, from == 4 ? 6 : some ? 10 : 0);
                    }
                });
        try (KafkaConsumer<String, String> c = consumer("auto.offset.reset", "earliest", "isolation.level", "read_committed", "fetch.max.bytes", "200", "max.partition.fetch.bytes", "100")) {
            see("beginning", () -> new TreeMap<>(byName(c.beginningOffsets(List.of(o0, o1, o2)))));
            see("end", () -> new TreeMap<>(byName(c.endOffsets(List.of(o0, o1, o2)))));
            see("for times", () -> new TreeMap<>(byName(c.offsetsForTimes(Map.of(o0, FIXED, o1, FIXED + 3000, o2, FIXED)))));
            see("partitions", () -> partitions(c.partitionsFor("o")));
            see("no partitions", () -> c.partitionsFor("nosuch"));
            c.assign(List.of(o0));
            see("in pieces", () -> read(c, 10));
            c.assign(List.of(a));
            see("append time", () -> read(c, 1));
        }
    }

    static Map<String, Object> byName(Map<TopicPartition, ?> m) {
        Map<String, Object> out = new TreeMap<>();
        m.forEach((p, x) -> out.put(p.toString(), x));
        return out;
    }

    static void rest(Admin admin) {
        see("cluster", () -> ids(admin.describeCluster().nodes().get()).stream().sorted().collect(Collectors.toList()));
        see("operations", () -> new TreeSet<>(admin.describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true)).authorizedOperations().get()));
        see("fenced too", () -> admin.describeCluster(new DescribeClusterOptions().includeFencedBrokers(true)).nodes().get().stream().map(n -> n.id() + " " + n.isFenced() + " " + n.rack()).sorted().collect(Collectors.toList()));
        see("features", () -> new TreeMap<>(admin.describeFeatures().featureMetadata().get().supportedFeatures()));
        see("finalized", () -> new TreeMap<>(admin.describeFeatures().featureMetadata().get().finalizedFeatures()));
        see("log directories", () -> admin.describeLogDirs(List.of(1, 2, 3)).allDescriptions().get().values().stream()
            .flatMap(m -> m.values().stream()).flatMap(d -> d.replicaInfos().entrySet().stream()).filter(e -> e.getKey().topic().length() == 1 && !e.getKey().topic().equals("a"))
            .map(e -> e.getKey() + " " + e.getValue()).sorted().collect(Collectors.toList()));
        see("a replica's directory", () -> admin.describeReplicaLogDirs(List.of(new TopicPartitionReplica("o", 0, 2))).all().get().values().stream().map(d -> d.getCurrentReplicaOffsetLag() + " " + d.getFutureReplicaLogDir()).collect(Collectors.toList()));
        see("elect", () -> new TreeMap<>(byName(admin.electLeaders(ElectionType.PREFERRED, Set.of(new TopicPartition("o", 0), new TopicPartition("nosuch", 1))).partitions().get())));
        see("elect unclean", () -> new TreeMap<>(byName(admin.electLeaders(ElectionType.UNCLEAN, Set.of(new TopicPartition("o", 0))).partitions().get())));
    }
}
