package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.LoadForecast;
import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.UnitProvenance.Origin;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.NodePrices.OnDemand;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.controller.standin.FixedView;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Analysis.OpSummary;
import io.knabla.functions.compiler.analyze.Analysis.Prediction;
import io.knabla.functions.compiler.analyze.Analysis.Suggestion;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GpuFigure;
import io.knabla.storage.memory.MemoryObjectStore;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A GPU pays for this model from 199 calls a second on (as {@code PoolRuleTest} shows): it is like ResNet-18. */
class PoolStepTest {
    private static final Digest UNIT = Digest.ofHex("1".repeat(64));
    private static final Digest OTHER_UNIT = Digest.ofHex("2".repeat(64));
    private static final List<Node> GPUS = List.of(node("cpu-a", Pool.cpu), node("gpu-a", Pool.gpu));

    private final MapCatalog catalog = new MapCatalog();
    private final UnitProvenance origins = new UnitProvenance(new MemoryObjectStore());
    private NodePrices prices = NodePrices.UNKNOWN;
    private Optional<GpuProfile> device = Optional.empty();

    @BeforeEach
    void analyse() {
        var analysis = new Analysis(
                11_000_000,
                44_000_000,
                3_600_000_000L,
                80_000_000,
                20_000_000,
                1 << 20,
                36,
                new Suggestion("cpu", 1000, 1 << 28, ""),
                new Prediction("a machine", 0.015),
                List.of(new OpSummary("Conv", 50, 3_600_000_000L, 80_000_000, 20_000_000)),
                List.of(),
                Map.of(),
                List.of(),
                15,
                Machine.ASSUMED,
                List.of(),
                600_000);
        for (Digest unit : List.of(UNIT, OTHER_UNIT)) {
            origins.write(unit, new Origin(1, "sha256:m", analysis, List.of(), Map.of(), 1));
        }
    }

    private static Node node(String name, Pool pool) {
        return new Node(name, pool, CapacityType.OnDemand, "local", "a", 4);
    }

    private PlacedResource decide(FunctionSpec spec, List<Node> nodes, Map<String, String> settings) {
        return new PoolStep(
                        catalog,
                        origins,
                        new FixedView(nodes),
                        new PlatformNodes(new FixedView(nodes), prices, () -> device),
                        DefaultSettings.with(settings))
                .decide(resource(spec), UNIT);
    }

    private PlacedResource decide(FunctionSpec spec, List<Node> nodes) {
        return decide(spec, nodes, Map.of());
    }

    /** @param known by instance type */
    private static NodePrices prices(Map<String, OnDemand> known) {
        return new NodePrices() {
            @Override
            public Optional<Hourly> of(Node node) {
                return Optional.empty();
            }

            @Override
            public Optional<OnDemand> onDemand(Node node) {
                return Optional.ofNullable(known.get(node.instanceType()));
            }
        };
    }

    private static FunctionResource resource(FunctionSpec spec) {
        return new FunctionResource(
                Specs.id("digits").namespace(), Specs.id("digits").name(), spec);
    }

    /** The function is there, of another unit, and somebody forecast its rate. */
    private void expect(double perSecond) {
        FunctionRecord before = record(OTHER_UNIT, Specs.inference().spec(), Optional.empty());
        catalog.put(before.with(
                new LoadForecast(Instant.EPOCH, BigDecimal.valueOf(perSecond), BigDecimal.ONE, Optional.empty())));
    }

    private static FunctionRecord record(Digest unit, FunctionSpec spec, Optional<PoolDecision> pool) {
        var version = new Version(1, spec, unit, UNIT, Instant.EPOCH, pool);
        return new FunctionRecord(Specs.id("digits"), List.of(version), List.of(), "");
    }

    @Test
    void theGpuIsChosenFromTheRateAtWhichItPays() {
        expect(250);

        PlacedResource placed = decide(Specs.inference().spec(), GPUS);

        assertThat(placed.resource().spec().chosenPool()).isEqualTo(Pool.gpu);
        assertThat(placed.pool().orElseThrow().text())
                .startsWith("gpu: a GPU node (g4dn.xlarge, T4) costs less than CPU nodes from ")
                .contains("calls a second, here 250", "assumed from data sheets")
                .endsWith("that rate was forecast");
    }

    /** At half the price it pays from half the rate on. */
    @Test
    void thePlatformsOwnPricesDecide() {
        expect(110);
        List<Node> nodes = List.of(
                new Node("a", Pool.cpu, CapacityType.OnDemand, "c7i.xlarge", "use1-az1", 4),
                new Node("b", Pool.gpu, CapacityType.OnDemand, "g4dn.12xlarge", "use1-az1", 4));
        prices = prices(
                Map.of("c7i.xlarge", new OnDemand(0.1785, 4, 0), "g4dn.12xlarge", new OnDemand(4 * 0.263, 48, 4)));

        PlacedResource placed = decide(Specs.inference().spec(), nodes);

        assertThat(placed.pool().orElseThrow().text())
                .startsWith("gpu: a GPU node (g4dn.12xlarge, T4) costs less than CPU nodes from 101 ")
                .contains("here 110", "prices are this platform's");
    }

    @Test
    void aPriceThatIsNotKnownIsTheTables() {
        expect(250);
        List<Node> nodes = List.of(
                node("cpu-a", Pool.cpu), new Node("b", Pool.gpu, CapacityType.OnDemand, "g4dn.xlarge", "use1-az1", 4));
        prices = prices(Map.of("g4dn.xlarge", new OnDemand(0.526, 4, 1)));

        assertThat(decide(Specs.inference().spec(), nodes).pool().orElseThrow().text())
                .contains(
                        "the price of g4dn.xlarge is this platform's, of c7i.xlarge AWS us-east-1's on demand of July 2026");
    }

    @Test
    void aMeasuredGpuIsComparedAlone() {
        expect(250);
        device = Optional.of(new GpuProfile(
                "Tesla T4", Map.of(GpuFigure.tf32, 4e12, GpuFigure.float32, 4e12, GpuFigure.convolution, 1e12)));

        assertThat(decide(Specs.inference().spec(), GPUS).pool().orElseThrow().text())
                .startsWith("gpu: a GPU node (g4dn.xlarge, Tesla T4) costs less")
                .contains("speeds are measured, prices are AWS us-east-1's on demand of July 2026");
    }

    @Test
    void belowThatRateTheCpuIsChosen() {
        expect(10);

        PlacedResource placed = decide(Specs.inference().spec(), GPUS);

        assertThat(placed.resource().spec().chosenPool()).isEqualTo(Pool.cpu);
        assertThat(placed.pool().orElseThrow().text()).startsWith("cpu: at 10 calls a second CPU nodes cost less");
    }

    @Test
    void aRateThatNobodyForecastIsAssumed() {
        assertThat(decide(Specs.inference().spec(), GPUS).pool().orElseThrow().text())
                .startsWith("cpu: at 1.0 calls a second")
                .endsWith("that rate is assumed; ./knabla deploy --rate says what to expect");
    }

    @Test
    void whatTheFileSaysIsNotDecidedAnew() {
        expect(250);
        FunctionSpec onGpu = Specs.inference()
                .resources(new Resources(Optional.empty(), Optional.empty(), 1))
                .spec();
        FunctionSpec onCpu =
                Specs.inference().placement(Pool.cpu, Capacity.Mixed, 0).spec();

        for (FunctionSpec spec : List.of(onGpu, onCpu)) {
            assertThat(decide(spec, GPUS)).isEqualTo(PlacedResource.asAsked(resource(spec)));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FunctionType.class,
            names = {"TrainingStep", "Generation", "Encoder"})
    void typesThatComputeOnTheCpuStayThere(FunctionType type) {
        expect(250);
        FunctionSpec spec = Specs.inference().type(type).spec();

        assertThat(decide(spec, GPUS)).isEqualTo(PlacedResource.asAsked(resource(spec)));
    }

    @Test
    void nothingIsDecidedWhereNothingComputesOnAGpu() {
        expect(250);
        FunctionSpec spec = Specs.inference().spec();
        PlacedResource asAsked = PlacedResource.asAsked(resource(spec));

        assertThat(decide(spec, List.of(node("cpu-a", Pool.cpu)))).isEqualTo(asAsked);
        assertThat(decide(spec, GPUS, Map.of("knabla.cluster.kind", "Knative"))).isEqualTo(asAsked);
        assertThat(decide(
                                spec,
                                GPUS,
                                Map.of(
                                        "knabla.cluster.kind",
                                        "Knative",
                                        "knabla.cluster.gpu-image",
                                        "registry/replica-gpu:1"))
                        .pool())
                .isPresent();
    }

    /** The controller deploys all functions again when it starts; another rate or no GPU node then changes nothing. */
    @Test
    void aVersionKeepsItsPool() {
        var decision = new PoolDecision(Pool.gpu, "it paid");
        FunctionSpec asked = Specs.inference().spec();
        catalog.put(record(UNIT, asked.withPool(Pool.gpu), Optional.of(decision)));

        for (List<Node> nodes : List.of(GPUS, List.<Node>of())) {
            PlacedResource placed = decide(asked, nodes);

            assertThat(placed.pool()).contains(decision);
            assertThat(placed.resource().spec()).isEqualTo(asked.withPool(Pool.gpu));
        }
    }

    @Test
    void aVersionWithoutADecisionGetsNone() {
        FunctionSpec asked = Specs.inference().spec();
        catalog.put(record(UNIT, asked, Optional.empty()));

        assertThat(decide(asked, GPUS)).isEqualTo(PlacedResource.asAsked(resource(asked)));
    }

    @Test
    void theSameFileIsNoNewVersion() {
        expect(250);
        PlacedResource placed = decide(Specs.inference().spec(), GPUS);
        FunctionRecord first = new NextVersion(placed, UNIT, UNIT, Instant.EPOCH)
                .after(Optional.empty())
                .record();
        catalog.put(first);

        PlacedResource again = decide(Specs.inference().spec(), GPUS);

        assertThat(first.latest().pool()).isEqualTo(placed.pool());
        assertThat(new NextVersion(again, UNIT, UNIT, Instant.EPOCH)
                        .after(Optional.of(first))
                        .added())
                .isFalse();
    }
}
