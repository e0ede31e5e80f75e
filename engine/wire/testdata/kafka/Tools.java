import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.internals.Exit;

/**
 * Runs Apache Kafka's command line tools one after the other in one JVM, each as
 * its own main method runs it, and writes down what each printed.
 *
 * Tools.java CASES RESULTS. A case is a line: class, standard input in Base64,
 * arguments, with TABs between; the class "sleep" waits its milliseconds. A
 * result is a line: exit status, standard output, standard error, the last two
 * in Base64.
 */
public class Tools {
    static final int LIMIT_SECONDS = 40;

    public static void main(String[] args) throws Exception {
        List<String> results = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] words = line.split("\t", -1);
            if (words[0].equals("sleep")) {
                Thread.sleep(Long.parseLong(words[2]));
                results.add("0\t\t");
                continue;
            }
            results.add(new Run(words).result());
        }
        Files.write(Path.of(args[1]), results);
        Runtime.getRuntime().halt(0);
    }

    /** One run of one tool. */
    static class Run {
        final String tool;
        final String[] args;
        final byte[] input;
        final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();
        final CountDownLatch done = new CountDownLatch(1);
        final List<Runnable> hooks = new ArrayList<>();
        volatile Thread main;
        volatile String status;

        Run(String[] words) {
            tool = words[0];
            input = Base64.getDecoder().decode(words[1]);
            args = Arrays.copyOfRange(words, 2, words.length);
        }

        String result() throws Exception {
            System.setIn(new ByteArrayInputStream(input));
            PrintStream o = new PrintStream(out, true, StandardCharsets.UTF_8), e = new PrintStream(err, true, StandardCharsets.UTF_8);
            System.setOut(o);
            System.setErr(e);
            Exit.setExitProcedure((code, message) -> exit(code));
            Exit.setHaltProcedure((code, message) -> exit(code));
            Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
            Class<?> type = Class.forName(tool);
            forget(type);
            main = new Thread(() -> call(type), "main");
            main.setDaemon(true);
            main.start();
            if (!done.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                status = "killed";
            o.flush();
            e.flush();
            return status + "\t" + Base64.getEncoder().encodeToString(out.toByteArray()) + "\t" + Base64.getEncoder().encodeToString(err.toByteArray());
        }

        /** What a JVM would begin with: the console consumer counts in a static field. */
        static void forget(Class<?> type) {
            try {
                Field count = type.getDeclaredField("messageCount");
                count.setAccessible(true);
                count.set(null, 0);
            } catch (ReflectiveOperationException ignored) {
                // no such field: nothing to forget
            }
        }

        void call(Class<?> type) {
            try {
                type.getMethod("main", String[].class).invoke(null, (Object) args);
                exit(0);
            } catch (InvocationTargetException e) {
                System.err.print("Exception in thread \"main\" ");
                e.getCause().printStackTrace();
                exit(1);
            } catch (ReflectiveOperationException e) {
                e.printStackTrace();
                exit(99);
            }
        }

        /** The end of the process, as far as this run is concerned: the thread never goes on. */
        void exit(int code) {
            if (status == null) {
                status = Integer.toString(code);
                for (Runnable hook : hooks) {
                    Thread t = new Thread(hook);
                    t.setDaemon(true);
                    t.start();
                    try {
                        t.join(5000);
                    } catch (InterruptedException e) {
                        break;
                    }
                }
                done.countDown();
            }
            while (true) {
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException ignored) {
                    // it stays
                }
            }
        }
    }
}
