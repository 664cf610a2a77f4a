package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.DIGITS;
import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.deploy.TrafficChange.Outcome;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes through the API while the operator reconciles an older state of the resource. */
class TrafficByApiTest {
    private static final FunctionSnapshot NOTHING =
            new FunctionSnapshot(List.of(), List.of(), Optional.empty(), List.of(), List.of());
    private static final List<TrafficTarget> FIRST = List.of(new TrafficTarget(1, 100));
    private static final List<TrafficTarget> CANARY = List.of(new TrafficTarget(1, 90), new TrafficTarget(2, 10));

    private final OperatorFixture world = new OperatorFixture();

    /** All traffic splits of the catalog, in order. */
    private final Queue<List<TrafficTarget>> went = new ConcurrentLinkedQueue<>();

    private final FunctionResources resources =
            new KubernetesFunctionResources(world.client, DefaultSettings.settings());
    private final TrafficChange api = new TrafficChange(world.catalog, resources);
    private final VersionReconciler operator = new VersionReconciler(
            world.catalog,
            new PackagingQueue(order -> world.record(order.resource()), Runnable::run, Clock.systemUTC()),
            new TrafficChange(world.catalog, FunctionResources.None.NONE),
            new RecordOwnership(""),
            Clock.systemUTC());

    @BeforeEach
    void oneVersion() {
        world.startOperator(world::record);
        world.apply("digits", 4);
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
        world.catalog.onChange(
                (_, now) -> now.map(FunctionRecord::pinnedTraffic).ifPresent(went::add));
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aSplitIsNotUndoneByAReconciliationOfTheOldSpec() {
        secondVersion();
        lookAtFormerWish();

        assertThat(api.split(DIGITS, CANARY)).isInstanceOf(Outcome.Done.class);

        await().until(() -> went.contains(CANARY));
        assertThat(world.catalog.find(DIGITS).orElseThrow().traffic()).isEqualTo(CANARY);
        assertThat(went).containsExactly(CANARY);
    }

    @Test
    void rollbacksAreNotUndoneAndStartFromTheSpec() {
        secondVersion();
        lookAtFormerWish();

        assertThat(api.rollback(DIGITS, OptionalInt.empty()))
                .isInstanceOfSatisfying(
                        Outcome.Done.class,
                        done -> assertThat(done.record().traffic()).isEqualTo(FIRST));
        await().until(() -> !went.isEmpty());
        assertThat(went).containsExactly(FIRST);
        assertThat(api.rollback(DIGITS, OptionalInt.empty()))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.faults())
                                .extracting(Fault::path)
                                .contains("to"));
    }

    @Test
    void aConcurrentEditIsNotLost() {
        secondVersion();
        var edits = new AtomicInteger();

        Optional<List<TrafficTarget>> now = resources.changeTraffic(DIGITS, _ -> {
            if (edits.getAndIncrement() == 0) {
                editMax();
            }
            return FIRST;
        });

        assertThat(now).contains(FIRST);
        assertThat(edits.get()).isGreaterThan(1);
        assertThat(world.function("digits")
                        .orElseThrow()
                        .getSpec()
                        .at("/scaling/max")
                        .asInt())
                .isEqualTo(7);
        await().until(() -> world.catalog.find(DIGITS).orElseThrow().traffic().equals(FIRST));
    }

    @Test
    void aNewVersionGetsNoTrafficBeforeItsResourceIsWritten() {
        FunctionObject former = world.function("digits").orElseThrow();
        look(former);
        var wish = resource("""
                        model: "%s"
                        scaling: {concurrency: 5}
                        traffic: [{version: 1, percent: 90}, {version: 2, percent: 10}]
                        """.formatted(OperatorFixture.UNIT.value()));
        world.record(wish);
        look(former);
        assertThat(went).containsExactly(FIRST);

        world.apply("digits", FunctionYaml.specToJson(wish.spec()));

        await().until(() -> went.contains(CANARY));
        assertThat(went).containsExactly(FIRST, CANARY);
    }

    @Test
    void changesTheCatalogForAFunctionWithoutResource() {
        var other = new FunctionId(NAMESPACE, "other");
        FunctionRecord digits = world.catalog.find(DIGITS).orElseThrow();
        world.catalog.update(other, _ -> new FunctionRecord(other, digits.versions(), List.of(), "etag"));

        assertThat(api.split(other, FIRST)).isInstanceOf(Outcome.Done.class);

        assertThat(world.catalog.find(other).orElseThrow().traffic()).isEqualTo(FIRST);
        assertThat(api.split(new FunctionId(NAMESPACE, "nobody"), FIRST)).isInstanceOf(Outcome.Unknown.class);
    }

    /** A namespace may begin to end while the function is packaged. */
    @Test
    void aWriteThatTheClusterForbidsIsAFault() {
        var wish = resource("model: \"%s\"".formatted(OperatorFixture.UNIT.value()));
        world.server.fail("/functions/digits", 403, 1);

        assertThat(resources.write(wish)).extracting(Fault::path).containsExactly("metadata.namespace");
        assertThat(resources.write(wish)).isEmpty();
    }

    private void editMax() {
        world.client
                .resources(FunctionObject.class)
                .inNamespace(NAMESPACE)
                .withName("digits")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"scaling\": {\"max\": 7}}}");
    }

    private void secondVersion() {
        world.apply("digits", 5);
        await().until(() -> went.contains(List.of(new TrafficTarget(2, 100))));
        went.clear();
    }

    /** Reconciles the old resource in the middle of the next API call. */
    private void lookAtFormerWish() {
        FunctionObject former = world.function("digits").orElseThrow();
        world.server.before("/functions/digits", () -> look(former));
    }

    private void look(FunctionObject former) {
        operator.reconcile(former, NOTHING, () -> {});
    }

    private static FunctionResource resource(String spec) {
        return ((Parsed.Valid) FunctionYaml.parse(
                        "apiVersion: knabla.dev/v1alpha1\nkind: Function\nmetadata: {name: digits, namespace: %s}\nspec:\n%s"
                                .formatted(NAMESPACE, spec.indent(2))))
                .resource();
    }
}
