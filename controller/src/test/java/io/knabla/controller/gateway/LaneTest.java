package io.knabla.controller.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.Cluster;
import io.knabla.controller.cluster.Node;
import io.knabla.controller.cluster.Replica;
import io.knabla.controller.cluster.Replica.State;
import io.knabla.controller.cluster.ReplicaRequest;
import io.knabla.controller.gateway.Lane.Admission;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Trouble;
import io.knabla.controller.scale.VersionKey;
import io.knabla.controller.scale.VersionLoad;
import io.knabla.functions.spec.FunctionSpecs;
import io.knabla.functions.unit.Digest;
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
class LaneTest {
    private static final FunctionId ID = new FunctionId("default", "digits");
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Digest DIGEST = new Digest("sha256:" + "0".repeat(64));
    private static final Trouble TROUBLE = new Trouble(Trouble.Kind.CrashLoop, "it crashes", Duration.ofSeconds(1));

    /** Requests that one replica takes: scaling.concurrency's default. */
    private static final int CAPACITY = 4;

    private final Pokes pokes = new Pokes();
    private final List<Replica> running = new ArrayList<>();
    private final Cluster cluster = new Running(running);
    private final Lane lane = new Lane(
            new VersionKey(ID, 1),
            new Version(1, FunctionSpecs.defaults("m"), DIGEST, DIGEST, CREATED),
            new VersionLoad(InstantSource.fixed(CREATED)),
            new Autoscaler(cluster, new NoCatalog(), null, InstantSource.fixed(CREATED), pokes),
            null,
            3);

    @AfterEach
    void stop() {
        pokes.shutdownNow();
    }

    /** Counts evaluations requested of the autoscaler and runs none. */
    private static final class Pokes extends ScheduledThreadPoolExecutor {
        private int count;

        Pokes() {
            super(1);
        }

        @Override
        public void execute(Runnable task) {
            count++;
        }
    }

    /** Records the outcomes it receives. */
    private static final class Heard implements Waiter {
        private final List<String> words = new ArrayList<>();

        @Override
        public void granted(Upstream endpoint, boolean waitedForStart) {
            words.add(endpoint.replica.id() + (waitedForStart ? " after a start" : ""));
        }

        @Override
        public void refused(Trouble trouble) {
            words.add(trouble.message());
        }
    }

    private record Running(List<Replica> replicas) implements Cluster {
        @Override
        public Replica start(ReplicaRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void stop(String replica) {}

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public void onChange(Listener listener) {}
    }

    private static final class NoCatalog implements Catalog {
        @Override
        public Optional<FunctionRecord> find(FunctionId id) {
            return Optional.empty();
        }

        @Override
        public Optional<FunctionRecord> look(FunctionId id) {
            return Optional.empty();
        }

        @Override
        public List<FunctionRecord> list() {
            return List.of();
        }

        @Override
        public FunctionRecord update(FunctionId id, Change change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean delete(FunctionId id) {
            return false;
        }

        @Override
        public void onChange(Listener listener) {}
    }

    private static Replica replica(String id, State state, int version, Instant started) {
        return new Replica(
                id,
                ID,
                version,
                "node",
                state,
                Optional.of(URI.create("http://127.0.0.1:9")),
                "token",
                Map.of(),
                started,
                "");
    }

    private void becomes(String id, State state) {
        lane.changed(replica(id, state, 1, CREATED));
    }

    private Upstream granted(Upstream avoid) {
        return ((Admission.Granted) lane.enter(new Heard(), avoid)).upstream();
    }

    private void fill(int requests) {
        for (int i = 0; i < requests; i++) {
            granted(null);
        }
    }

    @Test
    void requestsWaitUntilAReplicaIsReady() {
        var first = new Heard();
        var second = new Heard();
        assertThat(lane.enter(first, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(lane.enter(second, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(pokes.count).isEqualTo(1);
        becomes("r1", State.STARTING);
        assertThat(first.words).isEmpty();

        becomes("r1", State.READY);

        assertThat(first.words).containsExactly("r1 after a start");
        assertThat(second.words).containsExactly("r1 after a start");
        assertThat(lane.inFlight("r1")).isEqualTo(2);
        assertThat(lane.inFlight("r2")).isZero();
    }

    @Test
    void requestsEvaluationAgainAfterAReplicaWentAway() {
        lane.enter(new Heard(), null);
        becomes("r1", State.READY);
        becomes("r1", State.DRAINING);
        lane.enter(new Heard(), null);
        assertThat(pokes.count).isEqualTo(2);
    }

    @Test
    void theLeastBusyReplicaIsTaken() {
        becomes("r1", State.READY);
        becomes("r2", State.READY);
        becomes("r2", State.READY);
        assertThat(granted(null).replica.id()).isEqualTo("r1");
        assertThat(granted(null).replica.id()).isEqualTo("r2");
        Upstream third = granted(null);
        assertThat(third.replica.id()).isEqualTo("r1");
        lane.release(third, false);
        lane.release(third, false);
        assertThat(granted(null).replica.id()).isEqualTo("r1");
    }

    @Test
    void waitingForABusyReplicaIsNoColdStart() {
        becomes("r1", State.READY);
        fill(CAPACITY - 1);
        Upstream last = granted(null);
        var waiting = new Heard();
        var later = new Heard();
        assertThat(lane.enter(waiting, null)).isInstanceOf(Admission.Waiting.class);
        lane.enter(later, null);
        assertThat(pokes.count).isZero();

        lane.release(last, false);

        assertThat(waiting.words).containsExactly("r1");
        assertThat(later.words).isEmpty();
        assertThat(lane.inFlight("r1")).isEqualTo(CAPACITY);
    }

    @Test
    void theQueueIsBounded() {
        for (int i = 0; i < 3; i++) {
            assertThat(lane.enter(new Heard(), null)).isInstanceOf(Admission.Waiting.class);
        }
        assertThat(lane.enter(new Heard(), null)).isEqualTo(new Admission.Full(3));
    }

    @Test
    void doesNotNotifyARequestThatLeft() {
        var gone = new Heard();
        lane.enter(gone, null);
        assertThat(lane.leave(gone)).isTrue();
        assertThat(lane.leave(gone)).isFalse();
        becomes("r1", State.READY);
        assertThat(gone.words).isEmpty();
        assertThat(lane.inFlight("r1")).isZero();
    }

    @Test
    void leavingRemovesOnlyThatRequest() {
        var gone = new Heard();
        var staying = new Heard();
        lane.enter(gone, null);
        lane.enter(staying, null);
        lane.leave(gone);
        becomes("r1", State.READY);
        assertThat(staying.words).containsExactly("r1 after a start");

        becomes("r2", State.READY);
        becomes("r2", State.DRAINING);
        assertThat(lane.inFlight("r1")).isEqualTo(1);
    }

    @Test
    void aReplicaThatFailedARequestIsAvoidedWhereThereIsAnother() {
        becomes("r1", State.READY);
        Upstream failed = granted(null);
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
        Upstream dead = granted(null);
        lane.release(dead, true);
        var waiting = new Heard();
        assertThat(lane.enter(waiting, null)).isInstanceOf(Admission.Waiting.class);
        assertThat(pokes.count).isEqualTo(1);

        lane.fail(TROUBLE);

        assertThat(waiting.words).containsExactly("it crashes");
        assertThat(lane.leave(waiting)).isFalse();
    }

    @Test
    void doesNotRejectWhileAReplicaIsReady() {
        becomes("r1", State.READY);
        fill(CAPACITY);
        var waiting = new Heard();
        lane.enter(waiting, null);
        lane.fail(TROUBLE);
        assertThat(waiting.words).isEmpty();

        lane.close(TROUBLE);

        assertThat(waiting.words).containsExactly("it crashes");
        assertThat(lane.inFlight("r1")).isZero();
    }

    @Test
    void requestsEvaluationAgainAfterAFailure() {
        lane.enter(new Heard(), null);
        lane.fail(TROUBLE);
        lane.enter(new Heard(), null);
        assertThat(pokes.count).isEqualTo(2);
    }

    @Test
    void onlyItsOwnReplicasAreUsed() {
        lane.changed(replica("other", State.READY, 2, CREATED));
        lane.changed(replica("older", State.READY, 1, CREATED.minusMillis(1)));
        assertThat(lane.enter(new Heard(), null)).isInstanceOf(Admission.Waiting.class);

        running.add(replica("other", State.READY, 2, CREATED));
        running.add(replica("starting", State.STARTING, 1, CREATED));
        running.add(replica("mine", State.READY, 1, CREATED));
        lane.seed(cluster);
        assertThat(granted(null).replica.id()).isEqualTo("mine");
    }

    @Test
    void derivesTimeoutVersionAndPath() {
        assertThat(lane.timeoutMillis).isEqualTo(30_000);
        assertThat(lane.versionHeader).isEqualTo("1");
        assertThat(lane.inferPath).isEqualTo("/v2/models/digits/infer");
    }
}
