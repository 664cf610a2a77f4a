package io.knabla.controller.local.liveness;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests probes over real sockets: of a server that answers, answers 503, or only takes connections. */
@Timeout(300)
class LivenessProbesTest {
    private static final LivenessSettings FAST = new LivenessSettings(
            Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofMinutes(2), Duration.ofMillis(20), 3, 2, 6);

    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private ServerSocket server;
    private FakeReplica replica;

    /** Records what its probes decide. */
    private static final class FakeReplica implements ProbedReplica {
        private final List<String> decisions = new CopyOnWriteArrayList<>();
        private final AtomicInteger probes = new AtomicInteger();
        private final URI address;

        /** CPU time that it seems to use between two calls. */
        private Duration cpuUsed = Duration.ZERO;

        private Duration cpuWaited = Duration.ZERO;

        private CpuTimes time = new CpuTimes(Duration.ZERO, Duration.ZERO);

        FakeReplica(int port) {
            address = URI.create("http://127.0.0.1:" + port);
        }

        @Override
        public URI address() {
            probes.incrementAndGet();
            return address;
        }

        @Override
        public String token() {
            return "token";
        }

        @Override
        public CpuTimes cpuTimes() {
            time = new CpuTimes(time.used().plus(cpuUsed), time.waited().plus(cpuWaited));
            return time;
        }

        @Override
        public boolean probed() {
            return true;
        }

        @Override
        public void responsive() {
            decisions.add("responsive");
        }

        @Override
        public void unresponsive(String reason) {
            decisions.add("unresponsive: " + reason);
        }

        @Override
        public void killHanging(String reason) {
            decisions.add("kill: " + reason);
        }
    }

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
        replica = new FakeReplica(server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        timers.shutdownNow();
        server.close();
    }

    @Test
    void aReplicaThatTakesConnectionsOnlyIsRoutedAroundThenKilled() {
        probes(System::nanoTime).start();

        await().until(() -> replica.decisions.size() == 3);

        assertThat(replica.decisions)
                .containsExactly(
                        "unresponsive: it failed 1 health probe in a row",
                        "unresponsive: it failed 2 health probes in a row",
                        "kill: it hangs: it failed 3 health probes in a row and neither used a CPU nor waited for one");
    }

    @Test
    void oneThatUsesCpuGetsMoreTime() {
        replica.cpuUsed = Duration.ofMillis(20);
        getsMoreTime();
    }

    @Test
    void oneThatIsKeptFromTheCpuGetsMoreTime() {
        replica.cpuWaited = FAST.timeout().dividedBy(2);
        getsMoreTime();
    }

    private void getsMoreTime() {
        probes(System::nanoTime).start();

        await().until(() -> replica.decisions.size() == 5);

        assertThat(replica.decisions.getFirst()).isEqualTo("unresponsive: it failed 2 health probes in a row");
        assertThat(replica.decisions.getLast()).isEqualTo("kill: it hangs: it failed 6 health probes in a row");
    }

    @Test
    void missesOfALateControllerDoNotCount() {
        AtomicInteger calls = new AtomicInteger();
        probes(() -> calls.incrementAndGet() * Duration.ofMinutes(5).toNanos()).start();

        await().until(() -> replica.probes.get() > 10);

        assertThat(replica.decisions).isEmpty();
    }

    @Test
    void oneWhoseEngineIsStuckIsKilled() {
        answer("HTTP/1.1 503 Service Unavailable\r\n\r\n");
        probes(System::nanoTime).start();

        await().until(() -> replica.decisions.size() >= 3);

        assertThat(replica.decisions).last().isEqualTo("kill: it hangs: a run of its engine is stuck");
    }

    @Test
    void aSuspectIsProbedAtOnceAndIsResponsiveWhenItAnswers() {
        answer("HTTP/1.1 200 OK\r\n\r\n");
        LivenessSettings rare = new LivenessSettings(
                Duration.ofHours(1), Duration.ofMinutes(2), FAST.tolerance(), FAST.busyCpu(), 3, 2, 6);
        new LivenessProbes(replica, rare, timers, System::nanoTime).suspect();

        await().until(() -> replica.decisions.size() == 2);

        assertThat(replica.decisions).containsExactly("unresponsive: a request to it was not answered", "responsive");
    }

    private LivenessProbes probes(LongSupplier nanos) {
        return new LivenessProbes(replica, FAST, timers, nanos);
    }

    /** Answers every connection until the server is closed. */
    private void answer(String text) {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    // Unread bytes would reset the connection when it is closed.
                    socket.getInputStream().read(new byte[1000]);
                    socket.getOutputStream().write(text.getBytes());
                } catch (IOException closed) {
                    Thread.onSpinWait();
                }
            }
        });
    }
}
