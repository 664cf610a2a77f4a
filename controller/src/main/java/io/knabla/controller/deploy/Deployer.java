package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.DeployResult.Busy;
import io.knabla.controller.deploy.DeployResult.ModelMissing;
import io.knabla.controller.deploy.DeployResult.Refused;
import io.knabla.controller.deploy.EngineCheck.CheckResult;
import io.knabla.controller.deploy.PackageStep.PackageResult;
import io.knabla.controller.deploy.RangesStep.RangesResult;
import io.knabla.controller.deploy.RecordStep.WriteConditions;
import io.knabla.controller.gc.DeployLeases;
import io.knabla.controller.gc.DeployLeases.LeaseResult;
import io.knabla.controller.gc.LeaseLostException;
import io.knabla.controller.models.ExternalModels;
import io.knabla.controller.models.ExternalModels.FetchResult;
import io.knabla.controller.models.ModelSource;
import io.knabla.controller.models.ModelSource.Source;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Deploys a function: prepares a version from its model and records the version. Steps: find the model, measure its
 * activations for static quantisation, package it, optimise it ahead of time, check it in the engine, record the
 * version. Only the last step is visible to others, and it is one conditional write.
 */
@Singleton
public final class Deployer {
    private static final Busy CROWDED =
            new Busy("too many deploys are under way; try again in a moment", Duration.ofSeconds(5));

    private static final Duration NO_PLACE = Duration.ofSeconds(30);
    private static final Duration LEASE_LOST = Duration.ofSeconds(1);

    private final ModelSource models;
    private final ExternalModels externalModels;
    private final PackageStep packaging;
    private final EngineCheck engine;
    private final Catalog catalog;
    private final RecordStep recording;
    private final DeployLeases leases;
    private final Bulkhead underWay = new Bulkhead(32, 0);
    private final Bulkhead packagings = new Bulkhead(2, 16);
    private final Bulkhead fetching = new Bulkhead(4, 16);

    Deployer(
            ModelSource models,
            ExternalModels externalModels,
            PackageStep packaging,
            EngineCheck engine,
            Catalog catalog,
            RecordStep recording,
            DeployLeases leases) {
        this.models = models;
        this.externalModels = externalModels;
        this.packaging = packaging;
        this.engine = engine;
        this.catalog = catalog;
        this.recording = recording;
        this.leases = leases;
    }

    public DeployResult deploy(FunctionResource resource) {
        return deploy(resource, UnaryOperator.identity());
    }

    /**
     * Deploys the resource; until it ends, the garbage collector keeps everything that this deploy found in the store.
     *
     * @param claim further change to the catalog record in the same write, such as setting its owner
     */
    public DeployResult deploy(FunctionResource resource, UnaryOperator<FunctionRecord> claim) {
        try {
            return attempt(resource, claim);
        } catch (LeaseLostException stopped) {
            // A clock was set meanwhile, or the machine slept: the next attempt finds what this one has packaged.
            return lastAttempt(resource, claim);
        }
    }

    private DeployResult lastAttempt(FunctionResource resource, UnaryOperator<FunctionRecord> claim) {
        try {
            return attempt(resource, claim);
        } catch (LeaseLostException stopped) {
            return new Busy(stopped.getMessage(), LEASE_LOST);
        }
    }

    private DeployResult attempt(FunctionResource resource, UnaryOperator<FunctionRecord> claim) {
        return switch (leases.acquire("the deploy of " + id(resource))) {
            case LeaseResult.Refused(var sentence, var retryAfter) -> new Busy(sentence, retryAfter);
            case LeaseResult.DeployLease pin -> {
                try (pin) {
                    yield deploy(resource, new WriteConditions(pin, claim));
                }
            }
        };
    }

    private DeployResult deploy(FunctionResource resource, WriteConditions terms) {
        Source source = models.find(resource.spec());
        List<Fault> early = recording.faults(resource);
        return switch (source) {
            case Source.Refused(var faults) -> new Refused(joined(faults, early));
            case Source.Missing(var digests) -> early.isEmpty() ? new ModelMissing(digests) : new Refused(early);
            case Source.External elsewhere -> early.isEmpty() ? bring(resource, elsewhere, terms) : new Refused(early);
            case Source.Ready ready -> early.isEmpty() ? work(resource, ready, terms) : new Refused(early);
        };
    }

    /** Fetching waits for the network and packaging needs memory, so each has its own limit. */
    private DeployResult bring(FunctionResource resource, Source.External elsewhere, WriteConditions terms) {
        return switch (fetching.tryRun(() -> externalModels.fetch(elsewhere)).orElse(null)) {
            case null -> CROWDED;
            case FetchResult.Refused(var faults) -> new Refused(faults);
            case FetchResult.Fetched here -> {
                try (here) {
                    yield work(resource, here.source(), terms);
                }
            }
        };
    }

    private DeployResult work(FunctionResource resource, Source.Ready source, WriteConditions terms) {
        return underWay.<DeployResult>tryRun(() -> make(resource, source, terms))
                .orElse(CROWDED);
    }

    private DeployResult make(FunctionResource resource, Source.Ready source, WriteConditions terms) {
        Optional<PackageResult.Unit> before = asBefore(resource, source);
        if (before.isPresent()) {
            return optimise(resource, before.get(), terms);
        }
        return switch (ranges(resource, source)) {
            case null -> CROWDED;
            case RangesResult.Refused(var faults) -> new Refused(faults);
            case RangesResult.NotMeasured(var sentence) -> new Busy(sentence, NO_PLACE);
            case RangesResult.Known(var ranges) -> pack(resource, source, ranges, terms);
        };
    }

    /** Waits for the engine outside the workshop; null if that is full. */
    private RangesResult ranges(FunctionResource resource, Source.Ready source) {
        return packagings
                .tryRun(() -> packaging.calibration(source, resource.spec()))
                .map(packaging::measured)
                .orElse(null);
    }

    private DeployResult pack(
            FunctionResource resource, Source.Ready source, Map<String, Range> ranges, WriteConditions terms) {
        return switch (packagings
                .tryRun(() -> packaging.run(source, resource.spec(), ranges))
                .orElse(null)) {
            case null -> CROWDED;
            case PackageResult.Refused(var faults) -> new Refused(faults);
            case PackageResult.Unit unit -> optimise(resource, unit, terms);
        };
    }

    /** From here on the deploy waits for the engine: for minutes when a cluster has no capacity. */
    private DeployResult optimise(FunctionResource resource, PackageResult.Unit unit, WriteConditions terms) {
        return switch (packaging.optimized(unit)) {
            case PackageResult.Refused(var faults) -> new Refused(faults);
            case PackageResult.Unit made -> tryOut(resource, made, terms);
        };
    }

    /** Files are named by their content: the same names with the same spec give the same unit. */
    private Optional<PackageResult.Unit> asBefore(FunctionResource resource, Source.Ready source) {
        return switch (source) {
            case Source.LocalFile _, Source.ExistingUnit _ -> Optional.empty();
            case Source.Uploaded uploaded ->
                // The cached record may be deleted by now, and its unit collected.
                catalog.find(id(resource))
                        .flatMap(remembered -> catalog.readFromStore(remembered.id()))
                        .map(FunctionRecord::latest)
                        .filter(newest -> samePackaging(newest.spec(), resource.spec()))
                        .filter(newest -> packaging.isMadeOf(newest, uploaded))
                        .map(packaging::reuse);
        };
    }

    private static boolean samePackaging(FunctionSpec one, FunctionSpec other) {
        return one.model().equals(other.model())
                && one.externalData().equals(other.externalData())
                && one.modelInterface().isPackagedAs(other.modelInterface())
                && one.type() == other.type()
                && one.gradient().equals(other.gradient())
                && one.generation().equals(other.generation())
                && one.quantize().equals(other.quantize());
    }

    private DeployResult tryOut(FunctionResource resource, PackageResult.Unit unit, WriteConditions terms) {
        PlacedResource placed = recording.placed(resource, unit.digest());
        return switch (engine.check(unit.digest(), placed.resource().spec())) {
            case CheckResult.Refused(var fault) -> new Refused(List.of(fault));
            case CheckResult.Works(var warnings) ->
                recording.run(placed, unit, joined(unit.warnings(), warnings), terms);
            case CheckResult.NotTried(var why) ->
                recording.run(placed, unit, joined(unit.warnings(), List.of(why)), terms);
        };
    }

    private static FunctionId id(FunctionResource resource) {
        return new FunctionId(resource.namespace(), resource.name());
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
