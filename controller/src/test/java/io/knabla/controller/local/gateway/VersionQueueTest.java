package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.local.gateway.VersionQueue.Admission;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Unavailable;
import io.knabla.controller.scale.VersionLoad;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.unit.Digest;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which replica takes a request, which requests wait, and what they are told. */
class VersionQueueTest {
    private static final FunctionId ID = new FunctionId("default", "digits");
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    /** Replicas seem to start before their version was created if the clock was set back meanwhile. */
    private static final Instant BEFORE = CREATED.minus(Duration.ofDays(1));

    private static final Digest DIGEST = new Digest("sha256:" + "0".repeat(64));
    private static final Unavailable TROUBLE =
            new Unavailable(Unavailable.Kind.CrashLoop, "it crashes", Duration.ofSeconds(1));

    /** Requests that one replica takes: scaling.concurrency's default. */
    private static final int CAPACITY = 4;

    private final EvaluationCounter evaluations = new EvaluationCounter();
    private final List<Replica> running = new ArrayList<>();
    private final List<String> suspects = new ArrayList<>();
    private final Cluster cluster = new FixedCluster(running, suspects);
    private final VersionQueue queue = new VersionQueue(
            new VersionKey(ID, 1),
            new Version(1, FunctionDefaults.inference("m"), DIGEST, DIGEST, CREATED),
            new VersionLoad(InstantSource.fixed(CREATED)),
            new Autoscaler(cluster, new MapCatalog(), null, null, InstantSource.fixed(CREATED), evaluations),
            new VersionMeters(new SimpleMeterRegistry(), Tags.empty()),
            3);

    @AfterEach
    void stop() {
        evaluations.shutdownNow();
    }

    /** Counts evaluations requested of the autoscaler and runs none. */
    private static final class EvaluationCounter extends ScheduledThreadPoolExecutor {
        private int count;

        EvaluationCounter() {
            super(1);
        }

        @Override
        public void execute(Runnable task) {
            count++;
        }
    }

    private record FixedCluster(List<Replica> replicas, List<String> suspects) implements Cluster {
        @Override
        public List<Workload> workloads() {
            return List.of();
        }

        @Override
        public Replica start(ReplicaRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void stop(String replica) {}

        @Override
        public void suspect(String replica) {
            suspects.add(replica);
        }

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public void onChange(Listener listener) {}
    }

    private static Replica replica(String id, State state, int version, Instant versionCreated) {
        return new Replica(
                id,
                ID,
                version,
                Optional.of(versionCreated),
                "node",
                state,
                Optional.of(URI.create("http://127.0.0.1:9")),
                "token",
                Map.of(),
                BEFORE,
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    private void becomes(String id, State state) {
        queue.changed(replica(id, state, 1, CREATED));
    }

    private Endpoint granted(Endpoint avoid) {
        return ((Admission.Granted) queue.admit(new RecordingRequest(), avoid)).endpoint();
    }

    private void fill(int requests) {
        for (int i = 0; i < requests; i++) {
            granted(null);
        }
    }

    @Test
    void requestsWaitUntilAReplicaIsReady() {
        var first = new RecordingRequest();
        var second = new RecordingRequest();
        assertThat(queue.admit(first, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(queue.admit(second, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(evaluations.count).isEqualTo(1);
        becomes("r1", State.STARTING);
        assertThat(first.words).isEmpty();

        becomes("r1", State.READY);

        assertThat(first.words).containsExactly("r1 after a start");
        assertThat(second.words).containsExactly("r1 after a start");
        assertThat(queue.inFlight("r1")).isEqualTo(2);
        assertThat(queue.inFlight("r2")).isZero();
    }

    @Test
    void requestsEvaluationAgainAfterAReplicaWentAway() {
        queue.admit(new RecordingRequest(), null);
        becomes("r1", State.READY);
        becomes("r1", State.DRAINING);
        queue.admit(new RecordingRequest(), null);
        assertThat(evaluations.count).isEqualTo(2);
    }

    @Test
    void theLeastBusyReplicaIsTaken() {
        becomes("r1", State.READY);
        becomes("r2", State.READY);
        becomes("r2", State.READY);
        assertThat(granted(null).replica.id()).isEqualTo("r1");
        assertThat(granted(null).replica.id()).isEqualTo("r2");
        Endpoint third = granted(null);
        assertThat(third.replica.id()).isEqualTo("r1");
        queue.release(third, SendOutcome.ANSWERED, 0);
        queue.release(third, SendOutcome.ANSWERED, 0);
        assertThat(granted(null).replica.id()).isEqualTo("r1");
    }

    @Test
    void waitingForABusyReplicaIsNoColdStart() {
        becomes("r1", State.READY);
        fill(CAPACITY - 1);
        Endpoint last = granted(null);
        var waiting = new RecordingRequest();
        var later = new RecordingRequest();
        assertThat(queue.admit(waiting, null)).isInstanceOf(Admission.Waiting.class);
        queue.admit(later, null);
        assertThat(evaluations.count).isZero();

        queue.release(last, SendOutcome.ANSWERED, 0);

        assertThat(waiting.words).containsExactly("r1");
        assertThat(later.words).isEmpty();
        assertThat(queue.inFlight("r1")).isEqualTo(CAPACITY);
    }

    @Test
    void theQueueIsBounded() {
        for (int i = 0; i < 3; i++) {
            assertThat(queue.admit(new RecordingRequest(), null)).isInstanceOf(Admission.Waiting.class);
        }
        assertThat(queue.admit(new RecordingRequest(), null)).isEqualTo(new Admission.Full(3));
    }

    @Test
    void oneClientFillsHalfOfTheQueueAtMost() throws Exception {
        // Addresses that are reserved for documentation (RFC 5737).
        InetAddress greedy = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        InetAddress other = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 2});
        assertThat(queue.admit(new RecordingRequest(greedy, true), null)).isInstanceOf(Admission.Waiting.class);
        assertThat(queue.admit(new RecordingRequest(greedy, true), null)).isEqualTo(new Admission.Full(1));
        assertThat(queue.admit(new RecordingRequest(other, true), null)).isInstanceOf(Admission.Waiting.class);
    }

    @Test
    void aFastReplicaGetsMoreRequestsThanItHasSlots() {
        becomes("r1", State.READY);
        for (int i = 0; i < 100; i++) {
            queue.release(granted(null), SendOutcome.ANSWERED, 1_000_000);
        }
        fill(CAPACITY);
        var large = new RecordingRequest(InetAddress.getLoopbackAddress(), false);
        assertThat(queue.admit(large, null)).isInstanceOf(Admission.Waiting.class);
        fill(16);
        assertThat(queue.admit(new RecordingRequest(), null)).isInstanceOf(Admission.Waiting.class);
    }

    @Test
    void doesNotNotifyARequestThatLeft() {
        var gone = new RecordingRequest();
        queue.admit(gone, null);
        assertThat(queue.leave(gone)).isTrue();
        assertThat(queue.leave(gone)).isFalse();
        becomes("r1", State.READY);
        assertThat(gone.words).isEmpty();
        assertThat(queue.inFlight("r1")).isZero();
    }

    @Test
    void leavingRemovesOnlyThatRequest() {
        var gone = new RecordingRequest();
        var staying = new RecordingRequest();
        queue.admit(gone, null);
        queue.admit(staying, null);
        queue.leave(gone);
        becomes("r1", State.READY);
        assertThat(staying.words).containsExactly("r1 after a start");

        becomes("r2", State.READY);
        becomes("r2", State.DRAINING);
        assertThat(queue.inFlight("r1")).isEqualTo(1);
    }

    @Test
    void aReplicaThatFailedARequestIsAvoidedWhereThereIsAnother() {
        becomes("r1", State.READY);
        Endpoint failed = granted(null);
        assertThat(granted(failed)).isSameAs(failed);
        becomes("r2", State.READY);
        granted(null);
        granted(null);
        granted(null);
        // r2 is equally busy now, and is chosen anyway.
        assertThat(granted(failed).replica.id()).isEqualTo("r2");
        assertThat(granted(failed).replica.id()).isEqualTo("r2");
    }

    @Test
    void nothingIsSentToAReplicaThatRefusedAConnection() {
        becomes("r1", State.READY);
        Endpoint dead = granted(null);
        queue.release(dead, SendOutcome.REFUSED, 0);
        var waiting = new RecordingRequest();
        assertThat(queue.admit(waiting, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(evaluations.count).isEqualTo(1);

        queue.fail(TROUBLE);

        assertThat(waiting.words).containsExactly("it crashes");
        assertThat(queue.leave(waiting)).isFalse();
    }

    @Test
    void routesAroundAnUnresponsiveReplicaUntilItAnswersAgain() {
        becomes("r1", State.READY);
        Endpoint used = granted(null);
        becomes("r1", State.UNRESPONSIVE);
        var waiting = new RecordingRequest();

        assertThat(queue.admit(waiting, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(evaluations.count)
                .as("it may answer again, so no start is requested")
                .isZero();
        becomes("r1", State.READY);

        assertThat(waiting.words).containsExactly("r1");
        assertThat(queue.inFlight("r1")).as("those from before still count").isEqualTo(2);
        queue.release(used, SendOutcome.UNANSWERED, 0);
        assertThat(queue.inFlight("r1")).isEqualTo(1);
    }

    @Test
    void aReplicaThatHadATimeoutIsProbedBeforeItsSlotIsTakenAgain() {
        becomes("r1", State.READY);
        fill(CAPACITY - 1);
        Endpoint timedOut = granted(null);
        var waiting = new RecordingRequest();
        queue.admit(waiting, null);

        queue.release(timedOut, SendOutcome.TIMED_OUT, 0);

        assertThat(waiting.words).isEmpty();
        assertThat(suspects).containsExactly("r1");
        becomes("r1", State.READY);
        assertThat(waiting.words).containsExactly("r1");
    }

    @Test
    void aReplicaThatRefusedAConnectionIsUsedAgainOnceItAnswersAProbe() {
        becomes("r1", State.READY);
        queue.release(granted(null), SendOutcome.REFUSED, 0);
        assertThat(suspects).containsExactly("r1");

        becomes("r1", State.READY);

        assertThat(granted(null).replica.id()).isEqualTo("r1");
    }

    @Test
    void doesNotRejectWhileAReplicaIsReady() {
        becomes("r1", State.READY);
        fill(CAPACITY);
        var waiting = new RecordingRequest();
        queue.admit(waiting, null);
        queue.fail(TROUBLE);
        assertThat(waiting.words).isEmpty();

        queue.close(TROUBLE);

        assertThat(waiting.words).containsExactly("it crashes");
        assertThat(queue.inFlight("r1")).isZero();
    }

    @Test
    void requestsEvaluationAgainAfterAFailure() {
        queue.admit(new RecordingRequest(), null);
        queue.fail(TROUBLE);
        queue.admit(new RecordingRequest(), null);
        assertThat(evaluations.count).isEqualTo(2);
    }

    @Test
    void onlyItsOwnReplicasAreUsed() {
        queue.changed(replica("other", State.READY, 2, CREATED));
        queue.changed(replica("older", State.READY, 1, CREATED.minusMillis(1)));
        assertThat(queue.admit(new RecordingRequest(), null)).isInstanceOf(Admission.Waiting.class);

        running.add(replica("other", State.READY, 2, CREATED));
        running.add(replica("starting", State.STARTING, 1, CREATED));
        running.add(replica("mine", State.READY, 1, CREATED));
        queue.addRunning(cluster);
        assertThat(granted(null).replica.id()).isEqualTo("mine");
    }

    @Test
    void derivesTimeoutVersionAndPath() {
        assertThat(queue.timeoutMillis).isEqualTo(30_000);
        assertThat(queue.versionHeader).isEqualTo("1");
        assertThat(queue.inferPath).isEqualTo("/v2/models/digits/infer");
    }
}
