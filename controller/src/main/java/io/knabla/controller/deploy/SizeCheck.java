package io.knabla.controller.deploy;

import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.deploy.UnitProvenance.Origin;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.ClusterView;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.GpuShare;
import io.knabla.functions.spec.Quantities;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Compares the declared size of a replica with what its model needs and what the machine has. */
@Singleton
final class SizeCheck {
    /** Memory of a replica without a model: 34 MiB were measured. */
    private static final long REPLICA_BYTES = 40L << 20;

    private final UnitProvenance origins;
    private final ClusterView cluster;
    private final ClusterKind kind;

    SizeCheck(UnitProvenance origins, ClusterView cluster, Settings settings) {
        this.origins = origins;
        this.cluster = cluster;
        this.kind = settings.cluster().kind();
    }

    /** Faults of a spec that no node can ever serve. A cluster can still get nodes, so its conditions tell of it. */
    List<Fault> faults(FunctionSpec spec) {
        return switch (kind) {
            case Local -> faults(spec, cluster.nodes());
            case Knative -> List.of();
        };
    }

    static List<Fault> faults(FunctionSpec spec, List<Node> nodes) {
        if (spec.chosenPool() != Pool.gpu || nodes.stream().anyMatch(node -> node.pool() == Pool.gpu)) {
            return List.of();
        }
        boolean counted = spec.resources().gpu() > 0;
        return List.of(new Fault(
                counted ? "spec.resources.gpu" : "spec.placement.pool",
                "found %s, but no node has pool gpu: this machine offers no GPU, and ./knabla doctor --gpu says what it lacks; write gpu: 0 and pool: auto or cpu, or deploy to a cluster that has GPUs"
                        .formatted(counted ? GpuShare.text(spec.resources().gpu()) : Pool.gpu)));
    }

    /** A warning if the declared memory holds less than the weights and one call. */
    Optional<String> warning(FunctionSpec spec, Digest unit) {
        return spec.resources()
                .memoryBytes()
                .flatMap(declared -> origins.of(unit)
                        .map(Origin::analysis)
                        .flatMap(analysis -> warning(spec.type(), declared, analysis)));
    }

    static Optional<String> warning(FunctionType type, long declared, Analysis analysis) {
        // The weights of a training step are inputs and outputs of the call.
        long weights = type == FunctionType.TrainingStep ? 0 : analysis.weightBytes();
        long least = REPLICA_BYTES + weights + analysis.peakMemoryBytes();
        if (declared >= least) {
            return Optional.empty();
        }
        return Optional.of(
                "spec.resources.memory is %s, but a replica needs at least %d MiB: %d for weights, %d for one call and %d for itself; with less it is killed (OOMKilled). Set it to %s, which holds several calls at once, or to auto."
                        .formatted(
                                Quantities.formatBytes(declared),
                                mebibytes(least),
                                mebibytes(weights),
                                mebibytes(analysis.peakMemoryBytes()),
                                mebibytes(REPLICA_BYTES),
                                Quantities.formatBytes(
                                        Math.max(analysis.suggestion().memoryBytes(), mebibytes(least) << 20))));
    }

    private static long mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }
}
