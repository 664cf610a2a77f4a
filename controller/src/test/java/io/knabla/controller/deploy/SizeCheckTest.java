package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.controller.standin.FixedView;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.Fault;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Analyzer;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.storage.memory.MemoryObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SizeCheckTest {
    private static final long MIB = 1L << 20;
    private static final FunctionSpec GPUS = Specs.inference()
            .resources(new Resources(Optional.empty(), Optional.empty(), 8))
            .spec();

    private static Node node(Pool pool) {
        return new Node("n", pool, CapacityType.Spot, "local", "a", 1);
    }

    @Test
    void refusesGpusThatNoNodeOffers() {
        assertThat(SizeCheck.faults(GPUS, List.of(node(Pool.cpu))))
                .singleElement()
                .isEqualTo(
                        new Fault(
                                "spec.resources.gpu",
                                "found 8, but no node has pool gpu: this machine offers no GPU, and ./knabla doctor --gpu says what it lacks; write gpu: 0 and pool: auto or cpu, or deploy to a cluster that has GPUs"));
        assertThat(SizeCheck.faults(GPUS, List.of(node(Pool.cpu), node(Pool.gpu))))
                .isEmpty();
        assertThat(SizeCheck.faults(Specs.inference().spec(), List.of(node(Pool.cpu))))
                .isEmpty();
    }

    @Test
    void refusesThePoolWithoutACount() {
        FunctionSpec pool =
                Specs.inference().placement(Pool.gpu, Capacity.Mixed, 0).spec();

        assertThat(SizeCheck.faults(pool, List.of()))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEqualTo("spec.placement.pool"));
    }

    @Test
    void leavesAClustersNodesToItsConditions() {
        var origins = new UnitProvenance(new MemoryObjectStore());
        var none = new FixedView(List.of());

        assertThat(new SizeCheck(origins, none, DefaultSettings.with(Map.of("knabla.cluster.kind", "Knative")))
                        .faults(GPUS))
                .isEmpty();
        assertThat(new SizeCheck(origins, none, DefaultSettings.settings()).faults(GPUS))
                .hasSize(1);
    }

    @Test
    void warnsOfMemoryThatCannotHoldTheWeights() {
        Analysis large = Analyzer.analyze(Model.of(Onnx.mlp(2, 3, 2))).withWeights(50_000_000, 200 * MIB);

        assertThat(SizeCheck.warning(FunctionType.Inference, 128 * MIB, large))
                .hasValueSatisfying(
                        sentence -> assertThat(sentence)
                                .startsWith(
                                        "spec.resources.memory is 128Mi, but a replica needs at least 241 MiB: 200 for weights, 1 for one call and 40 for itself; with less it is killed (OOMKilled). Set it to "));
        assertThat(SizeCheck.warning(FunctionType.Inference, 256 * MIB, large)).isEmpty();
    }

    @Test
    void theWeightsOfATrainingStepCountAsItsInputs() {
        Analysis large = Analyzer.analyze(Model.of(Onnx.mlp(2, 3, 2))).withWeights(50_000_000, 200 * MIB);

        assertThat(SizeCheck.warning(FunctionType.TrainingStep, 128 * MIB, large))
                .isEmpty();
    }
}
