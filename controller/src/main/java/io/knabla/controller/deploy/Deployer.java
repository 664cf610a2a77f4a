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
import java.util.stream.Stream;

/**
 * A deploy, step by step: find the model → package it → let the engine optimise what it would spoil later →
 * let it try the unit → record the version.
 * Only the last step is visible to others, and it is one conditional write.
 */
@Singleton
public final class Deployer {
    private static final Busy CROWDED =
            new Busy(
                    "too many deploys are under way; try again in a moment", Duration.ofSeconds(5));

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

    /** Until it ends nothing is collected as garbage that it found in the store. */
    public Deployment deploy(FunctionResource resource) {
        return switch (pins.take("the deploy of " + id(resource))) {
            case Taken.Refused(var sentence, var retryAfter) -> new Busy(sentence, retryAfter);
            case Taken.Pin pin -> {
                try (pin) {
                    yield deploy(resource, pin);
                }
            }
        };
    }

    private Deployment deploy(FunctionResource resource, Taken.Pin pin) {
        Source source = models.find(resource.spec());
        List<Fault> early = NextVersion.trafficFaults(catalog.find(id(resource)), resource.spec());
        return switch (source) {
            case Source.Refused(var faults) -> new Refused(joined(faults, early));
            case Source.Missing(var digests) ->
                    early.isEmpty() ? new ModelMissing(digests) : new Refused(early);
            case Source.Foreign elsewhere ->
                    early.isEmpty() ? bring(resource, elsewhere, pin) : new Refused(early);
            case Source.Ready ready ->
                    early.isEmpty() ? work(resource, ready, pin) : new Refused(early);
        };
    }

    /** Fetching waits for the network and packaging needs memory, so neither holds the other up. */
    private Deployment bring(FunctionResource resource, Source.Foreign elsewhere, Taken.Pin pin) {
        return switch (fetching.work(() -> foreign.bring(elsewhere)).orElse(null)) {
            case null -> CROWDED;
            case Brought.Refused(var faults) -> new Refused(faults);
            case Brought.Here here -> {
                try (here) {
                    yield work(resource, here.source(), pin);
                }
            }
        };
    }

    private Deployment work(FunctionResource resource, Source.Ready source, Taken.Pin pin) {
        return underWay.<Deployment>work(() -> make(resource, source, pin)).orElse(CROWDED);
    }

    private Deployment make(FunctionResource resource, Source.Ready source, Taken.Pin pin) {
        Optional<Made.Unit> before = asBefore(resource, source);
        if (before.isPresent()) {
            return tryOut(resource, before.get(), pin);
        }
        return switch (workshop.work(() -> packaging.run(source, resource.spec())).orElse(null)) {
            case null -> CROWDED;
            case Made.Refused(var faults) -> new Refused(faults);
            case Made.Unit unit -> optimise(resource, unit, pin);
        };
    }

    /** From here on it is the engine that is waited for: minutes, where a cluster has no place for it. */
    private Deployment optimise(FunctionResource resource, Made.Unit unit, Taken.Pin pin) {
        return switch (packaging.optimized(unit)) {
            case Made.Refused(var faults) -> new Refused(faults);
            case Made.Unit made -> tryOut(resource, made, pin);
        };
    }

    /** Files are named by their content: the same names in the same wish give the same unit. */
    private Optional<Made.Unit> asBefore(FunctionResource resource, Source.Ready source) {
        return switch (source) {
            case Source.LocalFile _, Source.ExistingUnit _ -> Optional.empty();
            case Source.Uploaded uploaded ->
                    // What is remembered here may be gone, and its unit collected.
                    catalog.look(id(resource))
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

    private Deployment tryOut(FunctionResource resource, Made.Unit unit, Taken.Pin pin) {
        return switch (engine.check(unit.digest())) {
            case Checked.Refused(var sentence) ->
                    new Refused(List.of(new Fault("spec.model", sentence)));
            case Checked.Works(var warning) ->
                    recording.run(resource, unit, with(unit.warnings(), warning), pin);
            case Checked.NotTried(var why) ->
                    recording.run(resource, unit, with(unit.warnings(), Optional.of(why)), pin);
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
