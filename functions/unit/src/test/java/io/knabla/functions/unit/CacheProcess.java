package io.knabla.functions.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.download.DownloadListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Separate JVM process that uses a unit cache like a replica or a controller. */
final class CacheProcess implements AutoCloseable {
    private static final String REPLICA = "replica";
    private static final String STUCK = "stuck";

    private final Process process;
    private final BufferedReader out;

    private CacheProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /** Materialises the unit, prints how many bytes of blobs it fetched, and keeps running. */
    static CacheProcess replica(Path home, Digest unit, Map<String, String> environment) throws IOException {
        return start(home, unit, REPLICA, environment);
    }

    /** Fetches three quarters of the unit, prints so, and hangs. */
    static CacheProcess stuck(Path home, Digest unit) throws IOException {
        return start(home, unit, STUCK, Map.of());
    }

    private static CacheProcess start(Path home, Digest unit, String what, Map<String, String> environment)
            throws IOException {
        var builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CacheProcess.class.getName(),
                        home.toString(),
                        unit.value(),
                        what))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new CacheProcess(builder.start());
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Path cache = home.resolve("cache");
        Digest unit = new Digest(args[1]);
        try (var store = new RemoteStore(home.resolve("store"))) {
            System.out.println("starts");
            if (args[2].equals(STUCK)) {
                new UnitStore(store).prefetch(unit, cache, Map.of(), stop());
            }
            new UnitStore(store).materialise(unit, cache);
            System.out.println(store.blobBytes.get());
        }
        new CountDownLatch(1).await();
    }

    private static DownloadListener stop() {
        return (done, total) -> {
            if (done < total / 4 * 3) {
                return;
            }
            System.out.println("stuck");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            }
        };
    }

    /** The next line of its output. */
    String says() throws IOException {
        return out.readLine();
    }

    void says(String expected) throws IOException {
        assertThat(says()).isEqualTo(expected);
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
