import java.io.*;
import java.nio.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.*;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Does to Kafka's own log what a script says, and prints after each line what there is to see. See oracle_test.go. */
public class Replay {
  static class Clock implements Time {
    long ms = 1000;
    public long milliseconds() { return ms; }
    public long nanoseconds() { return ms * 1000000L; }
    public void sleep(long d) { ms += d; }
    public long hiResClockMs() { return ms; }
    public org.apache.kafka.common.utils.Timer timer(long l) { return Time.SYSTEM.timer(l); }
  }
  static class Now implements Scheduler {
    Map<String, Runnable> periodic = new HashMap<>();
    public void startup() {}
    public void shutdown() {}
    public void resizeThreadPool(int n) {}
    public ScheduledFuture<?> schedule(String n, Runnable r, long delay, long period) {
      if (period > 0) periodic.put(n, r);
      else if (delay <= 0) r.run();
      return new Done();
    }
  }
  static class Done extends FutureTask<Object> implements ScheduledFuture<Object> {
    Done() { super(() -> null); }
    public long getDelay(TimeUnit u) { return 0; }
    public int compareTo(Delayed d) { return 0; }
  }
  static Clock time = new Clock();
  static Now sched = new Now();
  static Path root;
  static int dirs = 0;
  static File dir;
  static LogConfig config;
  static UnifiedLog log;

  static File fresh() throws Exception {
    File f = root.resolve("d" + (dirs++)).resolve("t-0").toFile();
    f.mkdirs();
    return f;
  }
  static void open(long start, long rp, boolean clean) throws Exception {
    sched = new Now();
    log = UnifiedLog.create(dir, config, start, rp, sched, new BrokerTopicStats(), time, 300000,
        new ProducerStateManagerConfig(86400000, false), 600000, new LogDirFailureChannel(10), clean, Optional.empty());
  }
  static String code(Throwable e) {
    if (e instanceof RecordValidationException v) e = v.invalidException();
    return Errors.forException(e).name();
  }
  static String hex(byte[] b) {
    StringBuilder s = new StringBuilder();
    for (byte x : b) s.append(String.format("%02x", x));
    return s.toString();
  }
  static String digest(byte[] b) throws Exception {
    return b.length + ":" + hex(java.security.MessageDigest.getInstance("MD5").digest(b)).substring(0, 8);
  }
  static String state() throws Exception {
    StringBuilder s = new StringBuilder();
    s.append("leo=" + log.logEndOffset() + " hw=" + log.highWatermark() + " lso=" + log.lastStableOffset() + " start=" + log.logStartOffset()
        + " rp=" + log.recoveryPoint());
    for (LogSegment g : log.logSegments()) {
      s.append(" [" + g.baseOffset() + " " + g.size() + "B");
      for (int i = 0; i < g.offsetIndex().entries(); i++) s.append(" " + g.offsetIndex().entry(i).offset() + ":" + g.offsetIndex().entry(i).position());
      for (int i = 0; i < g.timeIndex().entries(); i++) s.append(" " + g.timeIndex().entry(i).timestamp() + "@" + g.timeIndex().entry(i).offset());
      if (g.txnIndex().file().exists())
        for (var t : g.txnIndex().allAbortedTxns())
          s.append(" a" + t.producerId() + "/" + t.firstOffset() + "/" + t.lastOffset() + "/" + t.lastStableOffset());
      s.append("]");
    }
    for (var e : log.leaderEpochCache().epochEntries()) s.append(" e" + e.epoch() + "@" + e.startOffset());
    var list = new ArrayList<>(log.activeProducers());
    list.sort(Comparator.comparing(p -> p.producerId()));
    for (var p : list)
      s.append(" p" + p.producerId() + "/" + p.producerEpoch() + "/" + p.lastSequence() + "/" + p.lastTimestamp() + "/" + p.coordinatorEpoch() + "/"
          + p.currentTxnStartOffset());
    return s.toString();
  }
  static String files(boolean contents) throws Exception {
    StringBuilder s = new StringBuilder();
    for (String f : new TreeSet<>(Arrays.asList(dir.list()))) {
      s.append(" " + f);
      if (contents && !f.endsWith(".deleted")) s.append("=" + digest(Files.readAllBytes(dir.toPath().resolve(f))));
    }
    return s.toString();
  }
  static String append(String[] a) throws Exception {
    MemoryRecords m = MemoryRecords.readableRecords(ByteBuffer.wrap(HexFormat.of().parseHex(a[4])));
    var i = log.appendAsLeader(m, Integer.parseInt(a[1]), AppendOrigin.valueOf(a[2]), RequestLocal.noCaching(), VerificationGuard.SENTINEL,
        Short.parseShort(a[3]));
    return i.firstOffset() + "-" + i.lastOffset() + " at " + i.logAppendTime();
  }
  static String read(String[] a) throws Exception {
    FetchIsolation iso = FetchIsolation.valueOf(a[3]);
    var d = log.read(Long.parseLong(a[1]), Integer.parseInt(a[2]), iso, Boolean.parseBoolean(a[4]));
    String s = d.fetchOffsetMetadata.messageOffset + " in " + d.fetchOffsetMetadata.segmentBaseOffset + " at "
        + d.fetchOffsetMetadata.relativePositionInSegment + " " + d.records.sizeInBytes() + "B";
    if (iso == FetchIsolation.TXN_COMMITTED && d.abortedTransactions.isPresent())
      for (var t : d.abortedTransactions.get()) s += " a" + t.producerId() + "/" + t.firstOffset();
    return s;
  }
  /** Header of each batch but for size and checksum, and its records. */
  static String batches() throws Exception {
    StringBuilder s = new StringBuilder();
    for (LogSegment g : log.logSegments()) {
      s.append(" <" + g.baseOffset());
      ByteBuffer all = ByteBuffer.allocate(g.size());
      if (g.size() > 0) g.log().readInto(all, 0);
      for (var b : MemoryRecords.readableRecords(all).batches()) {
        ByteBuffer raw = ByteBuffer.allocate(b.sizeInBytes());
        b.writeTo(raw);
        byte[] h = raw.array();
        s.append(" " + b.baseOffset() + "-" + b.lastOffset() + " " + hex(Arrays.copyOfRange(h, 12, 17)) + hex(Arrays.copyOfRange(h, 21, 61)));
        for (var r : b) {
          s.append(" " + r.offset() + "@" + r.timestamp() + ":" + text(r.key()) + "=" + text(r.value()));
          for (var x : r.headers()) s.append("{" + x.key() + "=" + text(x.value() == null ? null : ByteBuffer.wrap(x.value())) + "}");
        }
      }
      s.append(">");
    }
    return s.toString();
  }
  static String text(ByteBuffer b) {
    if (b == null) return "null";
    byte[] x = new byte[b.remaining()];
    b.duplicate().get(x);
    return hex(x);
  }
  /** One turn of the cleaner: whether it takes the log, and what it makes of it. */
  static String clean(int mapBytes) throws Exception {
    var logs = new ConcurrentHashMap<>(Map.of(log.topicPartition(), log));
    var manager = new LogCleanerManager(List.of(dir.getParentFile()), logs, new LogDirFailureChannel(10));
    var grabbed = manager.grabFilthiestCompactedLog(time, new PreCleanStats());
    if (grabbed.isEmpty()) return "nothing";
    LogToClean todo = grabbed.get();
    String s = todo.firstDirtyOffset() + "-" + todo.firstUncleanableOffset() + " " + todo.cleanBytes() + "B clean " + todo.cleanableBytes() + "B dirty";
    var cleaner = new Cleaner(0, new SkimpyOffsetMap(mapBytes), 65536, 1 << 20, 0.9, new Throttler(Double.MAX_VALUE, Long.MAX_VALUE, "x", "y", time),
        time, tp -> {});
    long end = cleaner.clean(todo).getKey();
    manager.doneCleaning(log.topicPartition(), dir.getParentFile(), end);
    return s + " up to " + end + batches();
  }
  static void copy(File from, File to) throws Exception {
    for (File f : from.listFiles()) Files.copy(f.toPath(), to.toPath().resolve(f.getName()));
  }
  /** Puts another folder's files in place of the log's. */
  static void adopt(File from) throws Exception {
    for (File f : dir.listFiles()) f.delete();
    copy(from, dir);
  }
  static String run(String line) throws Exception {
    String[] a = line.split(" ");
    switch (a[0]) {
      case "case": {
        Map<String, Object> m = new HashMap<>();
        m.put("message.timestamp.after.max.ms", Long.MAX_VALUE);
        for (int i = 1; i < a.length; i++) m.put(a[i].split("=", 2)[0], a[i].split("=", 2)[1]);
        config = new LogConfig(m);
        dir = fresh();
        time.ms = 1000;
        open(0, 0, true);
        return "";
      }
      case "now": time.ms = Long.parseLong(a[1]); return "";
      case "lead": return append(a);
      case "follow": {
        MemoryRecords m = MemoryRecords.readableRecords(ByteBuffer.wrap(HexFormat.of().parseHex(a[2])));
        var i = log.appendAsFollower(m, Integer.parseInt(a[1]));
        return i.firstOffset() + "-" + i.lastOffset();
      }
      case "roll": log.roll(); return "";
      case "hw": return "" + log.updateHighWatermark(Long.parseLong(a[1]));
      case "epoch": log.assignEpochStartOffset(Integer.parseInt(a[1]), Long.parseLong(a[2])); return "";
      case "endfor": return "" + log.endOffsetForEpoch(Integer.parseInt(a[1])).map(e -> e.epoch() + "@" + e.offset()).orElse("none");
      case "truncate":
        // A segment that was loaded and not looked at since forgets its largest timestamp when it is cut.
        for (LogSegment g : log.logSegments()) g.readMaxTimestampAndOffsetSoFar();
        log.truncateTo(Long.parseLong(a[1]));
        return "";
      case "full": log.truncateFullyAndStartAt(Long.parseLong(a[1]), Optional.empty()); return "";
      case "start": return "" + log.maybeIncrementLogStartOffset(Long.parseLong(a[1]), LogStartOffsetIncrementReason.ClientRecordDeletion);
      case "retain": return "" + log.deleteOldSegments();
      case "flush": log.flush(false); return "";
      case "clean": return clean(Integer.parseInt(a[1]));
      case "adopt": { // the files of somebody else, after a clean shutdown
        log.close();
        adopt(new File(a[1]));
        open(Long.parseLong(a[2]), Long.parseLong(a[3]), true);
        return files(false);
      }
      case "expire":
        for (var e : sched.periodic.entrySet()) if (e.getKey().toLowerCase().contains("producer")) e.getValue().run();
        return "";
      case "close": {
        long start = log.logStartOffset(), rp;
        log.prepareActiveSegmentForClose();
        log.flush(true);
        log.close();
        rp = log.recoveryPoint();
        String s = files(true);
        if (a.length > 1) start = Long.parseLong(a[1]);
        open(start, rp, true);
        return s;
      }
      case "kill": { // the files as a dying process leaves them, in a new folder
        File old = dir;
        long start = log.logStartOffset();
        dir = fresh();
        copy(old, dir);
        Path checkpoint = old.getParentFile().toPath().resolve("cleaner-offset-checkpoint");
        if (Files.exists(checkpoint)) Files.copy(checkpoint, dir.getParentFile().toPath().resolve(checkpoint.getFileName()));
        for (int i = 2; i + 1 < a.length; i += 2) { // cut=NAME N, flip=NAME N, remove=NAME 0, from=FOLDER 0
          String[] what = a[i].split("=");
          Path p = dir.toPath().resolve(what[1]);
          if (!Files.exists(p)) continue;
          byte[] b = Files.isDirectory(p) ? null : Files.readAllBytes(p);
          int n = Integer.parseInt(a[i + 1]);
          switch (what[0]) {
            case "cut": Files.write(p, Arrays.copyOf(b, Math.max(0, b.length - n))); break;
            case "grow": Files.write(p, Arrays.copyOf(b, b.length + n)); break;
            case "flip": if (b.length > 0) b[n % b.length] ^= 1; Files.write(p, b); break;
            case "remove": Files.delete(p); break;
            case "from": adopt(p.toFile()); break;
          }
        }
        open(start, Long.parseLong(a[1]), false);
        return files(false);
      }
      case "read": return read(a);
      case "ts": {
        var r = log.fetchOffsetByTimestamp(Long.parseLong(a[1]), Optional.empty()).timestampAndOffsetOpt();
        return r.map(x -> x.timestamp + " at " + x.offset + " epoch " + x.leaderEpoch.orElse(-1)).orElse("none");
      }
    }
    throw new IllegalArgumentException(line);
  }
  public static void main(String[] args) throws Exception {
    root = Files.createTempDirectory("replay");
    PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(args[1])));
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String result;
      try {
        result = run(line);
        // Kafka looks for the last stable offset anew when the high watermark is touched.
        if (line.startsWith("truncate") || line.startsWith("full")) log.updateHighWatermark(log.highWatermark());
      } catch (Throwable e) {
        result = code(e);
        if (args.length > 2) result += " " + e;
      }
      out.println((result + " | " + state()).trim());
    }
    out.close();
  }
}
