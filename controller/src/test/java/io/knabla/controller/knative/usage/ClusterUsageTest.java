package io.knabla.controller.knative.usage;

import static io.knabla.controller.knative.usage.Objects.READY;
import static io.knabla.controller.knative.usage.Objects.SCHEDULED;
import static io.knabla.controller.knative.usage.Objects.at;
import static io.knabla.controller.knative.usage.Objects.ended;
import static io.knabla.controller.knative.usage.Objects.event;
import static io.knabla.controller.knative.usage.Objects.node;
import static io.knabla.controller.knative.usage.Objects.pod;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.standin.ToyWorkload;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On Fabric8's mock server: what comes and goes; the mapping of each object has tests of its own. */
@EnableKubernetesMockClient(https = false, crud = true)
class ClusterUsageTest {
    private static final Instant NOW = at("14:00:50");

    KubernetesMockServer server;
    KubernetesClient client;
    private volatile Instant now = NOW;
    private volatile boolean leads = true;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final AtomicInteger changes = new AtomicInteger();
    private KnativeView view;
    private ClusterUsage usage;

    @BeforeEach
    void open() {
        view = KnativeView.open(client, List.of());
        usage = ClusterUsage.open(view, new EndEvents(client), clock, () -> leads);
        usage.onChange(changes::incrementAndGet);
        await().until(usage::hasSynced);
    }

    @AfterEach
    void close() {
        view.close();
    }

    @Test
    void onlyALeaderHasSynced() {
        leads = false;
        assertThat(usage.hasSynced()).isFalse();
        leads = true;
        assertThat(usage.hasSynced()).isTrue();
    }

    @Test
    void nodesOfFunctionsAreListedAndOthersNotUntilTheyRunOne() {
        Node ours = create(node("{knabla.dev/pool: cpu}", "[]"), "ours");
        Node shared = create(node("{}", "[]"), "spot-1");
        await().untilAsserted(() ->
                assertThat(usage.nodes()).extracting(NodeInterval::name).containsExactly("ours"));

        Pod pod = client.resource(pod(READY)).create();
        await().untilAsserted(() -> assertThat(usage.nodes())
                .extracting(NodeInterval::id)
                .containsExactlyInAnyOrder(uid(ours), uid(shared)));
        assertThat(usage.replicas()).extracting(ReplicaInterval::node).containsExactly(uid(shared));

        client.resource(pod).delete();
        await().untilAsserted(() -> assertThat(onlyReplica().end()).isEqualTo(ReplicaEnd.STOPPED));
        now = NOW.plus(ClusterUsage.RETAINED).plusSeconds(1);
        assertThat(usage.replicas()).isEmpty();
        assertThat(usage.nodes()).extracting(NodeInterval::id).containsExactlyInAnyOrder(uid(ours), uid(shared));
    }

    @Test
    void aPodIsKnownFromItsScheduleToItsEndAndForAWhileAfterIt() {
        create(node("{}", "[]"), "spot-1");
        Pod pod = client.resource(pod(SCHEDULED)).create();
        await().untilAsserted(() -> assertThat(onlyReplica().time()).isEqualTo(lasting("13:53:07")));
        int before = changes.get();

        client.resource(withStatus(
                        pod,
                        pod(ended(
                                "Succeeded",
                                "state: {terminated: {exitCode: 0, finishedAt: \"2026-11-21T14:00:04Z\"}}"))))
                .updateStatus();
        await().untilAsserted(() -> assertThat(onlyReplica().end()).isEqualTo(ReplicaEnd.STOPPED));
        assertThat(changes).hasValueGreaterThan(before);
        client.resource(pod).delete();
        await().until(() -> view.podObjects().isEmpty());

        assertThat(onlyReplica().time()).isEqualTo(Interval.of(at("13:53:07"), at("14:00:04")));
        now = NOW.plus(ClusterUsage.RETAINED);
        assertThat(usage.replicas()).hasSize(1);
        now = now.plusSeconds(1);
        assertThat(usage.replicas()).isEmpty();
    }

    @Test
    void aPodOfAnotherKindOfObjectIsRecordedUnderANameThatNoFunctionHas() {
        Node node = create(node("{}", "[]"), "spot-1");
        client.resource(ToyWorkload.pod("spot-1", at("13:53:07"))).create();

        await().until(() -> usage.replicas().size() == 1);
        ReplicaInterval row = onlyReplica();
        assertThat(List.of(row.namespace(), row.function(), row.version(), row.node()))
                .containsExactly("shop", "toy/digits", 3, uid(node));
        assertThat(row.time()).isEqualTo(lasting("13:53:07"));
        assertThat(row.requested().vcpus()).isEqualByComparingTo("0.5");
        assertThat(usage.nodes()).extracting(NodeInterval::id).containsExactly(uid(node));
    }

    @Test
    void aPodThatVanishesEndedWhenThatWasSeen() {
        create(node("{}", "[]"), "spot-1");
        Pod pod = client.resource(pod(READY)).create();
        await().until(() -> usage.replicas().size() == 1);
        now = NOW.plusMillis(1_700);

        client.resource(pod).delete();

        await().untilAsserted(() -> assertThat(onlyReplica().time().end()).contains(NOW.plusSeconds(1)));
    }

    @Test
    void anEventTellsThatTheProviderTookANodeBack() {
        Node node = create(node("{knabla.dev/pool: cpu}", "[]"), "spot-1");
        await().until(() -> usage.nodes().size() == 1);
        Event notice = event("notice", "SpotInterrupted", "Spot interruption warning was triggered", "13:58:00");
        notice.getRegarding().setKind("Node");
        notice.getRegarding().setName("spot-1");
        notice.getRegarding().setUid(uid(node));
        events("regarding.name%3Dspot-1", notice);

        client.resource(node).delete();

        await().untilAsserted(() -> assertThat(usage.nodes())
                .singleElement()
                .extracting(NodeInterval::end)
                .isEqualTo(NodeEnd.INTERRUPTED));
    }

    @Test
    void aReplicaThatEndedUnseenEndsWithItsLastEventOrWhenItWasSeenLast() {
        ReplicaInterval open = SeenPod.of(pod(READY)).interval("gone", false).orElseThrow();

        ReplicaInterval withoutEvent = usage.ended(open, at("13:55:00"));
        assertThat(withoutEvent.time()).isEqualTo(Interval.of(at("13:53:07"), at("13:55:00")));
        assertThat(withoutEvent.end()).isEqualTo(ReplicaEnd.STOPPED);

        Event killed = event("killed", "Killing", "Stopping container replica", "13:57:03");
        events("regarding.uid%3D" + Objects.UID, killed);
        assertThat(usage.ended(open, at("13:55:00")).time().end()).contains(at("13:57:03"));
        events("regarding.uid%3D" + Objects.UID, killed);
        assertThat(usage.ended(open, at("13:59:00")).time().end()).contains(at("13:59:00"));
        Event forced = event("taint", "TaintManagerEviction", "Marking for deletion Pod", "13:57:00");
        events("regarding.uid%3D" + Objects.UID, killed, forced);
        assertThat(usage.ended(open, at("13:55:00")).end()).isEqualTo(ReplicaEnd.INTERRUPTED);
    }

    /** Answers one list: the mock does not know what events regard. */
    private void events(String selector, Event... events) {
        server.expect()
                .get()
                .withPath("/apis/events.k8s.io/v1/events?fieldSelector=" + selector)
                .andReturn(200, new EventListBuilder().withItems(events).build())
                .once();
    }

    /** After a restart only the record knows that a shared node ran a function. */
    @Test
    void aRecordedNodeThatStillExistsGoesOn() {
        Node shared = create(node("{}", "[]"), "spot-1");
        await().until(usage::hasSynced);
        NodeInterval open = NodeUsage.of(shared, Optional.empty(), false);
        assertThat(usage.nodes()).isEmpty();

        assertThat(usage.ended(open, at("13:55:00"))).isEqualTo(open);
        assertThat(usage.nodes()).containsExactly(open);
    }

    /** The container's first run was killed while another controller counted its requests, as only that one knew. */
    @Test
    void workOfAKilledRunThatOnlyAnEarlierControllerMeasuredCounts() {
        Pod pod = client.resource(pod(READY.replace("containerd://one", "containerd://two")
                        .replace("restartCount: 0", "restartCount: 1")))
                .create();
        await().until(() -> usage.replicas().size() == 1);
        String uid = pod.getMetadata().getUid();
        Work recorded = new Work(12_000, 3, 0, 120_000, 600_000);
        ReplicaInterval row = onlyReplica();
        usage.resumed(List.of(row.withWork(recorded)));

        usage.measured(uid, "containerd://two", new ReplicaTotals(2_000, 1, 20_000, 100_000, 9, 9), Map.of());
        assertThat(onlyReplica().work()).isEqualTo(recorded);
        usage.measured(uid, "containerd://two", new ReplicaTotals(3_000, 1, 30_000, 150_000, 9, 9), Map.of());
        assertThat(onlyReplica().work()).isEqualTo(new Work(13_000, 3, 0, 130_000, 650_000));
    }

    @Test
    void onlyWatchedNamespacesAreCovered() {
        assertThat(usage.covers("ads")).isTrue();
        try (var ofShop = KnativeView.open(client, List.of("shop"))) {
            var other = ClusterUsage.open(ofShop, new EndEvents(client), clock, () -> leads);
            assertThat(other.covers("shop")).isTrue();
            assertThat(other.covers("ads")).isFalse();
        }
    }

    @Test
    void aRecordedNodeThatIsGoneEndsWhenItWasSeenLast() {
        NodeInterval open = NodeUsage.of(node("{}", "[]"), Optional.empty(), false);

        NodeInterval ended = usage.ended(open, at("13:55:00"));
        assertThat(ended.time()).isEqualTo(Interval.of(at("13:50:00"), at("13:55:00")));
        assertThat(ended.end()).isEqualTo(NodeEnd.RELEASED);
    }

    private static Interval lasting(String start) {
        return new Interval(at(start), Optional.empty());
    }

    private static String uid(Node node) {
        return node.getMetadata().getUid();
    }

    private ReplicaInterval onlyReplica() {
        List<ReplicaInterval> replicas = usage.replicas();
        assertThat(replicas).hasSize(1);
        return replicas.getFirst();
    }

    /** Waits until it is known: the informers of pods and of nodes run apart. */
    private Node create(Node node, String name) {
        node.getMetadata().setName(name);
        node.getMetadata().setUid(UUID.randomUUID().toString());
        Node made = client.resource(node).create();
        await().until(() -> usage.knows(made));
        return made;
    }

    private static Pod withStatus(Pod pod, Pod status) {
        return new PodBuilder(pod).withStatus(status.getStatus()).build();
    }
}
