package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.LoadForecast;
import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.config.Settings;
import io.knabla.controller.deploy.UnitProvenance.Origin;
import io.knabla.controller.platform.ClusterView;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.PoolRule;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * Decides {@code placement.pool: auto} by cost per call where this platform has nodes with GPUs, or is brought them. A
 * version keeps its pool: only a new one is decided anew.
 */
@Singleton
final class PoolStep {
    private final Catalog catalog;
    private final UnitProvenance origins;
    private final ClusterView cluster;
    private final PlatformNodes nodes;
    private final boolean computesOnGpus;

    PoolStep(Catalog catalog, UnitProvenance origins, ClusterView cluster, PlatformNodes nodes, Settings settings) {
        this.catalog = catalog;
        this.origins = origins;
        this.cluster = cluster;
        this.nodes = nodes;
        this.computesOnGpus = switch (settings.cluster().kind()) {
            case Local -> true;
            case Knative -> settings.cluster().gpuImage().isPresent();
        };
    }

    PlacedResource decide(FunctionResource resource, Digest unit) {
        Optional<FunctionRecord> before = catalog.find(new FunctionId(resource.namespace(), resource.name()));
        Optional<Version> same = before.map(FunctionRecord::latest)
                .filter(newest -> newest.unit().equals(unit))
                .filter(newest -> ScaleBounds.sameVersion(newest.askedSpec(), resource.spec()));
        // Before anything else: the controller deploys all functions again when it starts, with nodes or without.
        return same.map(Version::pool)
                .orElseGet(() -> decision(resource.spec(), unit, before))
                .map(decision -> PlacedResource.decided(resource, decision))
                .orElseGet(() -> PlacedResource.asAsked(resource));
    }

    private Optional<PoolDecision> decision(FunctionSpec spec, Digest unit, Optional<FunctionRecord> before) {
        return isOpen(spec) && hasGpus()
                ? origins.of(unit).map(Origin::analysis).map(analysis -> choice(spec, analysis, expected(before)))
                : Optional.empty();
    }

    private boolean hasGpus() {
        return computesOnGpus && cluster.canHave(Pool.gpu);
    }

    /** Whether the file leaves the pool to us, and both pools can run it for less. */
    private static boolean isOpen(FunctionSpec spec) {
        boolean auto = switch (spec.placement().pool()) {
            case auto -> spec.resources().gpu() == 0;
            case cpu, gpu -> false;
        };
        return auto && hasEngineOfGraphs(spec) && isComputedInFloats(spec);
    }

    /** A training step would move its state twice a step, and the engines of texts compute on the CPU only. */
    private static boolean hasEngineOfGraphs(FunctionSpec spec) {
        return switch (spec.type()) {
            case Inference, Gradient -> true;
            case TrainingStep, Generation, Encoder -> false;
        };
    }

    /** The CUDA provider leaves most operators of 8-bit graphs to the CPU. */
    private static boolean isComputedInFloats(FunctionSpec spec) {
        return switch (spec.quantize().type()) {
            case None, Float16 -> true;
            case Dynamic, Static, Int8, Int4 -> false;
        };
    }

    /** The rate that somebody forecast for the function. */
    private static Optional<Double> expected(Optional<FunctionRecord> before) {
        return before.flatMap(FunctionRecord::forecast)
                .map(LoadForecast::perSecond)
                .map(BigDecimal::doubleValue);
    }

    private PoolDecision choice(FunctionSpec spec, Analysis analysis, Optional<Double> expected) {
        int rows = Math.max(1, spec.batching().maxSize());
        PoolRule.Choice choice = PoolRule.choose(
                PoolRule.breakEvens(nodes.offers(), analysis.callWork(), rows, precision(spec)),
                expected.orElse(PoolRule.UNKNOWN_RATE));
        String rate = expected.isPresent()
                ? "that rate was forecast"
                : "that rate is assumed; ./knabla deploy --rate says what to expect";
        return new PoolDecision(pool(choice), choice.reason() + "; " + rate);
    }

    private static Precision precision(FunctionSpec spec) {
        return switch (spec.quantize().type()) {
            case Float16 -> Precision.HALF;
            case None, Dynamic, Static, Int8, Int4 -> products(spec);
        };
    }

    /** Gradients are computed with all digits. */
    private static Precision products(FunctionSpec spec) {
        return switch (spec.type()) {
            case Gradient, TrainingStep -> Precision.FLOAT32;
            case Inference, Generation, Encoder -> Precision.TF32;
        };
    }

    private static Pool pool(PoolRule.Choice choice) {
        return switch (choice) {
            case PoolRule.Choice.Cpu _ -> Pool.cpu;
            case PoolRule.Choice.Gpu _ -> Pool.gpu;
        };
    }
}
