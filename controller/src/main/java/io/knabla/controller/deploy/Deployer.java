package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.Deployment.Busy;
import io.knabla.controller.deploy.Deployment.ModelMissing;
import io.knabla.controller.deploy.Deployment.Refused;
import io.knabla.controller.deploy.EngineCheck.Checked;
import io.knabla.controller.deploy.ForeignModels.Brought;
import io.knabla.controller.deploy.ModelSource.Source;
import io.knabla.controller.deploy.PackageStep.Made;
import io.knabla.controller.deploy.RecordStep.Terms;
import io.knabla.controller.gc.Pins;
import io.knabla.controller.gc.Pins.Taken;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Deploys a function: finds the model, packages it, optimises it ahead of time, checks it in the engine, records the
 * version. Only the last step is visible to others, and it is one conditional write.
 */
@Singleton
public final class Deployer {
    private static final Busy CROWDED =
            new Busy("too many deploys are under way; try again in a moment", Duration.ofSeconds(5));

    private final ModelSource models;
    private final ForeignModels foreign;
    private final PackageStep packaging;
    private final EngineCheck engine;
    private final Catalog catalog;
    private final RecordStep recording;
    private final Pins pins;
    private final Workshop underWay = new Workshop(32, 0);
    private final Workshop workshop = new Workshop(2, 16);
    private final Workshop fetching = new Workshop(4, 16);

    Deployer(
            ModelSource models,
            ForeignModels foreign,
            PackageStep packaging,
            EngineCheck engine,
            Catalog catalog,
            RecordStep recording,
            Pins pins) {
        this.models = models;
        this.foreign = foreign;
        this.packaging = packaging;
        this.engine = engine;
        this.catalog = catalog;
        this.recording = recording;
        this.pins = pins;
    }

    public Deployment deploy(FunctionResource resource) {
        return deploy(resource, UnaryOperator.identity());
    }

    /**
     * Deploys the resource; until it ends, the garbage collector keeps everything that this deploy found in the store.
     *
     * @param claim further change to the catalog record in the same write, such as setting its owner
     */
    public Deployment deploy(FunctionResource resource, UnaryOperator<FunctionRecord> claim) {
        return switch (pins.take("the deploy of " + id(resource))) {
            case Taken.Refused(var sentence, var retryAfter) -> new Busy(sentence, retryAfter);
            case Taken.Pin pin -> {
                try (pin) {
                    yield deploy(resource, new Terms(pin, claim));
                }
            }
        };
    }

    private Deployment deploy(FunctionResource resource, Terms terms) {
        Source source = models.find(resource.spec());
        List<Fault> early = NextVersion.trafficFaults(catalog.find(id(resource)), resource.spec());
        return switch (source) {
            case Source.Refused(var faults) -> new Refused(joined(faults, early));
            case Source.Missing(var digests) -> early.isEmpty() ? new ModelMissing(digests) : new Refused(early);
            case Source.Foreign elsewhere -> early.isEmpty() ? bring(resource, elsewhere, terms) : new Refused(early);
            case Source.Ready ready -> early.isEmpty() ? work(resource, ready, terms) : new Refused(early);
        };
    }

    /** Fetching waits for the network and packaging needs memory, so each has its own limit. */
    private Deployment bring(FunctionResource resource, Source.Foreign elsewhere, Terms terms) {
        return switch (fetching.work(() -> foreign.bring(elsewhere)).orElse(null)) {
            case null -> CROWDED;
            case Brought.Refused(var faults) -> new Refused(faults);
            case Brought.Here here -> {
                try (here) {
                    yield work(resource, here.source(), terms);
                }
            }
        };
    }

    private Deployment work(FunctionResource resource, Source.Ready source, Terms terms) {
        return underWay.<Deployment>work(() -> make(resource, source, terms)).orElse(CROWDED);
    }

    private Deployment make(FunctionResource resource, Source.Ready source, Terms terms) {
        Optional<Made.Unit> before = asBefore(resource, source);
        if (before.isPresent()) {
            return tryOut(resource, before.get(), terms);
        }
        return switch (workshop.work(() -> packaging.run(source, resource.spec()))
                .orElse(null)) {
            case null -> CROWDED;
            case Made.Refused(var faults) -> new Refused(faults);
            case Made.Unit unit -> optimise(resource, unit, terms);
        };
    }

    /** From here on the deploy waits for the engine: for minutes when a cluster has no capacity. */
    private Deployment optimise(FunctionResource resource, Made.Unit unit, Terms terms) {
        return switch (packaging.optimized(unit)) {
            case Made.Refused(var faults) -> new Refused(faults);
            case Made.Unit made -> tryOut(resource, made, terms);
        };
    }

    /** Files are named by their content: the same names with the same spec give the same unit. */
    private Optional<Made.Unit> asBefore(FunctionResource resource, Source.Ready source) {
        return switch (source) {
            case Source.LocalFile _, Source.ExistingUnit _ -> Optional.empty();
            case Source.Uploaded uploaded ->
                // The cached record may be deleted by now, and its unit collected.
                catalog.find(id(resource))
                        .flatMap(remembered -> catalog.look(remembered.id()))
                        .map(FunctionRecord::latest)
                        .filter(newest -> samePackaging(newest.spec(), resource.spec()))
                        .filter(newest -> packaging.isMadeOf(newest, uploaded))
                        .map(packaging::again);
        };
    }

    private static boolean samePackaging(FunctionSpec one, FunctionSpec other) {
        return one.model().equals(other.model())
                && one.externalData().equals(other.externalData())
                && one.type() == other.type()
                && one.gradient().equals(other.gradient())
                && one.quantize().equals(other.quantize());
    }

    private Deployment tryOut(FunctionResource resource, Made.Unit unit, Terms terms) {
        return switch (engine.check(unit.digest())) {
            case Checked.Refused(var sentence) -> new Refused(List.of(new Fault("spec.model", sentence)));
            case Checked.Works(var warning) -> recording.run(resource, unit, with(unit.warnings(), warning), terms);
            case Checked.NotTried(var why) ->
                recording.run(resource, unit, with(unit.warnings(), Optional.of(why)), terms);
        };
    }

    private static FunctionId id(FunctionResource resource) {
        return new FunctionId(resource.namespace(), resource.name());
    }

    private static List<String> with(List<String> warnings, Optional<String> more) {
        return Stream.concat(warnings.stream(), more.stream()).toList();
    }

    private static List<Fault> joined(List<Fault> some, List<Fault> more) {
        List<Fault> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }
}
