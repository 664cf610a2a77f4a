package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.deploy.TrafficChange;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.knative.status.PackagingState;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.Parsed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class VersionReconcilerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final FunctionSnapshot NOTHING =
            new FunctionSnapshot(List.of(), List.of(), Optional.empty(), List.of(), List.of());

    private final MapCatalog catalog = new MapCatalog();
    private Instant now = NOW;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final VersionReconciler versions = new VersionReconciler(
            catalog,
            new PackagingQueue(order -> deploy(order.resource(), order::claim), Runnable::run, clock),
            new TrafficChange(catalog, FunctionResources.None.NONE),
            new RecordOwnership("here"),
            clock);

    @Test
    void replacesALateVersionThatDiffersFromTheSpec() {
        FunctionObject function = function("a", 4);
        look(function);
        look(function);
        deploy(wish(function("a", 5)));
        now = now.plus(VersionReconciler.API_DEPLOY_GRACE);

        assertThat(look(function).packaging()).isInstanceOf(PackagingState.Waiting.class);
        look(function);
        look(function);

        assertThat(concurrencies()).containsExactly(4, 5, 4);
        look(function);
        assertThat(concurrencies()).as("nothing more is packaged").containsExactly(4, 5, 4);
    }

    @Test
    void keepsADeployThroughTheApiUntilItsResourceIsWritten() {
        FunctionObject function = function("a", 4);
        look(function);
        look(function);
        deploy(wish(function("a", 5)));

        var made = look(function);

        assertThat(made.packaging()).isInstanceOf(PackagingState.Ended.class);
        assertThat(made.again()).contains(now.plus(VersionReconciler.API_DEPLOY_GRACE));
        now = now.plus(Duration.ofSeconds(30));
        look(function("a", 5));
        look(function("a", 5));
        now = now.plus(Duration.ofHours(1));
        look(function("a", 5));
        assertThat(concurrencies()).containsExactly(4, 5);
    }

    @Test
    void keepsAVersionWhosePoolADeployHasDecided() {
        FunctionObject function = function("a", 4);
        look(function);
        look(function);
        catalog.update(OperatorFixture.DIGITS, before -> onGpus(before.orElseThrow()));
        now = now.plus(Duration.ofHours(1));

        assertThat(look(function).packaging()).isInstanceOf(PackagingState.Ended.class);
        assertThat(concurrencies()).containsExactly(4);
    }

    private static FunctionRecord onGpus(FunctionRecord record) {
        Version newest = record.latest();
        var decided = new Version(
                newest.number(),
                newest.spec().withPool(Pool.gpu),
                newest.unit(),
                newest.model(),
                newest.created(),
                Optional.of(new PoolDecision(Pool.gpu, "it costs less")));
        return record.with(List.of(decided), record.pinnedTraffic());
    }

    @Test
    void inheritsNothingFromAnEarlierFunctionOfTheSameName() {
        look(function("a", 4));
        look(function("a", 4));
        FunctionObject next = function("b", 5);
        ((ObjectNode) next.getSpec())
                .putArray("traffic")
                .addObject()
                .put("version", 1)
                .put("percent", 100);

        assertThat(look(next).record()).as("before it has a version").isEmpty();
        look(next);

        assertThat(concurrencies()).containsExactly(5);
        assertThat(record().owner()).contains("here/b");
    }

    @Test
    void writesVersionAndOwnerTogether() {
        List<Optional<String>> owners = new ArrayList<>();
        catalog.onChange((_, now) -> owners.add(now.flatMap(FunctionRecord::owner)));

        look(function("a", 4));
        look(function("a", 4));

        assertThat(owners).containsExactly(Optional.of("here/a"));
    }

    @Test
    void takesOverARecordWithoutOwner() {
        deploy(wish(function("a", 4)));
        look(function("a", 5));
        look(function("a", 5));

        assertThat(concurrencies()).containsExactly(4, 5);
        assertThat(record().owner()).contains("here/a");
    }

    @Test
    void takesOverRecordsOfAnotherCluster() {
        deploy(wish(function("former", 4)));
        catalog.update(OperatorFixture.DIGITS, now -> now.orElseThrow().ownedBy("there/former"));

        look(function("a", 5));
        look(function("a", 5));

        assertThat(concurrencies()).containsExactly(4, 5);
        assertThat(record().owner()).contains("here/a");
    }

    private VersionReconciler.VersionOutcome look(FunctionObject function) {
        return versions.reconcile(function, NOTHING, () -> {});
    }

    private List<Integer> concurrencies() {
        return record().versions().stream()
                .map(version -> version.spec().scaling().concurrency())
                .toList();
    }

    private FunctionRecord record() {
        return catalog.find(OperatorFixture.DIGITS).orElseThrow();
    }

    /** Deploys as the API does, which writes no owner. */
    private DeployResult deploy(FunctionResource wish) {
        return deploy(wish, UnaryOperator.identity());
    }

    private DeployResult deploy(FunctionResource wish, UnaryOperator<FunctionRecord> claim) {
        List<Version> all = new ArrayList<>(catalog.find(OperatorFixture.DIGITS)
                .map(FunctionRecord::versions)
                .orElse(List.of()));
        FunctionSpec spec = wish.spec();
        Optional<Version> same =
                all.isEmpty() || !all.getLast().spec().equals(spec) ? Optional.empty() : Optional.of(all.getLast());
        if (same.isPresent()) {
            return new DeployResult.Unchanged(record(), same.get(), List.of());
        }
        var version = new Version(all.size() + 1, spec, OperatorFixture.UNIT, OperatorFixture.UNIT, now);
        all.add(version);
        FunctionRecord written = catalog.update(
                OperatorFixture.DIGITS,
                before -> claim.apply(before.map(it -> it.with(all, it.pinnedTraffic()))
                        .orElseGet(() -> new FunctionRecord(OperatorFixture.DIGITS, all, List.of(), ""))));
        return new DeployResult.Deployed(written, version, List.of());
    }

    private static FunctionResource wish(FunctionObject function) {
        return ((Parsed.Valid) FunctionParser.parse(function)).resource();
    }

    private static FunctionObject function(String uid, int concurrency) {
        var spec = JsonNodeFactory.instance.objectNode().put("model", OperatorFixture.UNIT.value());
        spec.putObject("scaling").put("concurrency", concurrency);
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(OperatorFixture.NAMESPACE);
        function.getMetadata().setName(OperatorFixture.DIGITS.name());
        function.getMetadata().setUid(uid);
        function.getMetadata().setGeneration(1L);
        function.setSpec(spec);
        return function;
    }
}
