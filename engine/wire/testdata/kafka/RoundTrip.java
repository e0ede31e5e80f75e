import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka's own Java client writes records with each codec and each acks, and reads
 * back exactly what it wrote: partition, offset, timestamp, key, value, headers.
 *
 * RoundTrip.java BOOTSTRAP RECORDS. Topics java-CODEC-ACKS of three partitions
 * must be there. A line for each says how it went.
 */
public class RoundTrip {
    static final int PARTITIONS = 3;
    static int records;

    public static void main(String[] args) throws Exception {
        records = Integer.parseInt(args[1]);
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            for (String acks : List.of("0", "1", "all")) {
                String topic = "java-" + codec + "-" + acks;
                long start = System.nanoTime();
                List<Future<RecordMetadata>> sent = write(args[0], topic, codec, acks);
                long written = System.nanoTime();
                String said = read(args[0], topic, acks, sent);
                System.out.printf("%s: %s; written in %d ms, read in %d ms%n", topic, said, (written - start) / 1_000_000, (System.nanoTime() - written) / 1_000_000);
            }
        }
    }

    static List<Future<RecordMetadata>> write(String bootstrap, String topic, String codec, String acks) {
        Properties p = new Properties();
        p.putAll(Map.of("bootstrap.servers", bootstrap, "acks", acks, "compression.type", codec, "enable.idempotence", Boolean.toString(acks.equals("all"))));
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(p, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int n = 0; n < records; n++)
                sent.add(producer.send(record(topic, n)));
        }
        return sent;
    }

    /** The n-th record: some have no key, some no value, some headers. */
    static ProducerRecord<byte[], byte[]> record(String topic, int n) {
        byte[] key = n % 7 == 0 ? null : ("key-" + n).getBytes(StandardCharsets.UTF_8);
        byte[] value = n % 11 == 0 ? null : ("value " + n + " of " + topic + " " + "x".repeat(n % 200)).getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> r = new ProducerRecord<>(topic, n % PARTITIONS, 1_700_000_000_000L + n, key, value);
        if (n % 3 == 1) {
            r.headers().add("n", Integer.toString(n).getBytes(StandardCharsets.UTF_8));
            r.headers().add(new RecordHeader("null", (byte[]) null));
        }
        return r;
    }

    static String read(String bootstrap, String topic, String acks, List<Future<RecordMetadata>> sent) throws Exception {
        Properties p = new Properties();
        p.putAll(Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "none", "enable.auto.commit", "false"));
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(p, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = new ArrayList<>();
            for (int i = 0; i < PARTITIONS; i++)
                all.add(new TopicPartition(topic, i));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            int[] next = new int[PARTITIONS];
            int wrong = 0, got = 0;
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (got < records && System.nanoTime() < end) {
                for (ConsumerRecord<byte[], byte[]> r : consumer.poll(Duration.ofMillis(200))) {
                    got++;
                    int n = next[r.partition()]++ * PARTITIONS + r.partition();
                    if (!same(r, record(topic, n), sent.get(n).get(), acks))
                        wrong++;
                }
            }
            long ends = consumer.endOffsets(all).values().stream().mapToLong(Long::longValue).sum();
            return got + " of " + records + " records, " + wrong + " wrong, ends add up to " + ends;
        }
    }

    static boolean same(ConsumerRecord<byte[], byte[]> got, ProducerRecord<byte[], byte[]> wrote, RecordMetadata told, String acks) {
        return Arrays.equals(got.key(), wrote.key()) && Arrays.equals(got.value(), wrote.value())
            && got.headers().equals(wrote.headers()) && got.timestamp() == wrote.timestamp()
            && (acks.equals("0") || told.offset() == got.offset());
    }
}
