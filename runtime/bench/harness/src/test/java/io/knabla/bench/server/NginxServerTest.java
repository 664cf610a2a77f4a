package io.knabla.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.wire.Call;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NginxServerTest {
    private static final Duration POLL = Duration.ofMillis(1);

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom();

    @Test
    void passesTheTokenAndKeepsConnections() {
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("m.onnx"));
        var nginx = new NginxServer(Path.of("nginx"), folder, new Platform.ReplicaAddress(81, "secret"), model);

        assertThat(nginx.configuration(80))
                .contains("server 127.0.0.1:81;", "keepalive 64;", "listen 127.0.0.1:80;", "worker_processes 2;")
                .contains("proxy_set_header Knabla-Replica-Token \"secret\";", "proxy_http_version 1.1;");
    }

    @Test
    void leavesNoWorkerBehind() {
        assumeTrue(NginxServer.installed().isPresent(), NginxServer.MISSING);
        try (RunningServer tiny = RunningServer.start(new TinyServer("right"), random, POLL)) {
            List<ProcessHandle> workers;
            try (RunningServer nginx = RunningServer.start(new BeforeTiny(tiny, folder), random, POLL)) {
                workers = nginx.child().descendants();
                assertThat(workers).hasSize(2);
                assertThat(ProcessUsage.treeCpuMillis(nginx.child().pid())).isNotNegative();
            }
            workers.forEach(worker -> worker.onExit().join());
        }
    }

    /** Its requests are those of {@link TinyServer}, which has no model. */
    private record BeforeTiny(RunningServer tiny, Path folder) implements Server {
        @Override
        public String name() {
            return "nginx";
        }

        @Override
        public ChildProcess.Command command(int port) {
            return NginxServer.before(new Platform.ReplicaAddress(tiny.port(), "secret"), folder, null)
                    .command(port);
        }

        @Override
        public Call call(int port) {
            Call direct = tiny.server().call(tiny.port());
            return new Call(new InetSocketAddress("127.0.0.1", port), direct.http(), direct.check());
        }

        @Override
        public Map<String, Double> phases(String output) {
            return Map.of();
        }
    }
}
