package io.knabla.storage.s3.servers;

import io.knabla.storage.s3.S3Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Runs an S3 server as a child process, which ends with this JVM at the latest. */
final class ServerProcess implements S3Server {
    static final String ACCESS_KEY = "local-identity";
    static final String SECRET_KEY = "local-credential";

    private static final int PORTS = 10;
    private static final int STARTS = 3;
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    /** Builds the command line from free ports. */
    interface Launcher {
        RealServer.Launch with(FreePorts ports) throws IOException;
    }

    private final RealServer kind;
    private final Process process;
    private final URI endpoint;
    private final Thread atExit;
    private final S3Client client;

    private ServerProcess(RealServer kind, Process process, int port) {
        this.kind = kind;
        this.process = process;
        this.endpoint = URI.create("http://127.0.0.1:" + port);
        this.atExit = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atExit);
        this.client = TestClients.of(endpoint, ACCESS_KEY, SECRET_KEY);
    }

    /** Retries with other ports if the process exits at once: another process may have taken a port. */
    static S3Server start(RealServer kind, Path folder, Launcher launcher) throws IOException {
        Path log = folder.resolve("server.log");
        for (int attempt = 0; attempt < STARTS; attempt++) {
            RealServer.Launch launch = launcher.with(FreePorts.free(PORTS));
            var builder = new ProcessBuilder(launch.command())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(launch.environment());
            var server = new ServerProcess(kind, builder.start(), launch.port());
            if (server.becomesReady()) {
                return server;
            }
            server.close();
        }
        throw new IOException(kind.title() + " gave no answer; its log: " + Files.readString(log));
    }

    /**
     * Waits until the server stores an object; a response alone is not enough, because its components start separately.
     */
    private boolean becomesReady() {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (process.isAlive() && System.nanoTime() < end) {
            try {
                String bucket = newBucket();
                client.putObject(put -> put.bucket(bucket).key("ready"), RequestBody.fromString("yes"));
                return true;
            } catch (SdkException notYet) {
                pause();
            }
        }
        return false;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public URI endpoint() {
        return endpoint;
    }

    @Override
    public String accessKey() {
        return ACCESS_KEY;
    }

    @Override
    public String secretKey() {
        return SECRET_KEY;
    }

    @Override
    public boolean holdsEveryKey() {
        return kind.holdsEveryKey();
    }

    @Override
    public String newBucket() {
        String name = "test-" + UUID.randomUUID();
        client.createBucket(make -> make.bucket(name));
        return name;
    }

    @Override
    public void close() {
        client.close();
        process.destroyForcibly();
        process.onExit().join();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The shutdown hook is running already; it is harmless.
        }
    }
}
