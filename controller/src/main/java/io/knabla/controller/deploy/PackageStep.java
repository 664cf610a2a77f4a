package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.RangesStep.RangesResult;
import io.knabla.controller.deploy.UnitProvenance.Origin;
import io.knabla.controller.models.LinkedFolder;
import io.knabla.controller.models.LocalModels;
import io.knabla.controller.models.LocalModels.BorrowedFile;
import io.knabla.controller.models.ModelSource;
import io.knabla.controller.models.ModelSource.Source;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.packaging.CalibrationUnitResult;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.packaging.Transform;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize.QuantizeType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Packages a model into a unit or reuses an existing one, then optimises it if necessary. */
@Singleton
final class PackageStep {
    /** Result of packaging. */
    sealed interface PackageResult {
        /** @param needsOptimization whether its graphs must still be optimised */
        record Unit(Digest digest, Digest model, List<String> warnings, boolean needsOptimization)
                implements PackageResult {}

        record Refused(List<Fault> faults) implements PackageResult {}
    }

    private final ObjectStore store;
    private final UnitProvenance origins;
    private final LocalModels models;
    private final RangesStep measuring;
    private final OptimizeStep optimizing;

    PackageStep(
            ObjectStore store,
            UnitProvenance origins,
            LocalModels models,
            RangesStep measuring,
            OptimizeStep optimizing) {
        this.store = store;
        this.origins = origins;
        this.models = models;
        this.measuring = measuring;
        this.optimizing = optimizing;
    }

    /** Prepares a static quantisation on this machine; {@link #measured} then waits for the engine. */
    CalibrationUnitResult calibration(Source.Ready source, FunctionSpec spec) {
        if (spec.quantize().type() != QuantizeType.Static) {
            return new CalibrationUnitResult.NothingToMeasure();
        }
        return switch (source) {
            case Source.ExistingUnit _ -> new CalibrationUnitResult.NothingToMeasure();
            case Source.LocalFile(var model) -> localCalibration(model, spec);
            case Source.Uploaded uploaded ->
                borrowing(uploaded, (files, lent) -> {
                    Path requests = local(uploaded.calibration().orElseThrow(), lent);
                    return inSpec(Packager.calibrationUnit(shaped(files, spec), requests, store));
                });
        };
    }

    private CalibrationUnitResult localCalibration(Path model, FunctionSpec spec) {
        Path requests = model.resolveSibling(spec.quantize().calibration().orElseThrow());
        return Files.isRegularFile(requests)
                ? inSpec(Packager.calibrationUnit(shaped(ModelFiles.beside(model), spec), requests, store))
                : new CalibrationUnitResult.Refused(List.of(new Fault(
                        ModelSource.CALIBRATION, "there is no file '%s' on this machine".formatted(requests))));
    }

    private static CalibrationUnitResult inSpec(CalibrationUnitResult calibration) {
        return calibration instanceof CalibrationUnitResult.Refused(var faults)
                ? new CalibrationUnitResult.Refused(
                        faults.stream().map(PackageStep::inSpec).toList())
                : calibration;
    }

    /**
     * Packages the model on this machine; {@link #optimized} then waits for the engine.
     *
     * @param ranges of activations; used by static quantisation only
     */
    PackageResult run(Source.Ready source, FunctionSpec spec, Map<String, Range> ranges) {
        return switch (source) {
            case Source.ExistingUnit(var unit) -> existing(unit, spec);
            case Source.LocalFile(var model) when spec.takesText() -> kept(packed(model.getParent(), spec), Map.of());
            case Source.LocalFile(var model) ->
                kept(
                        Packager.pack(
                                shaped(ModelFiles.beside(model), spec),
                                Transform.of(
                                        spec,
                                        ranges,
                                        spec.quantize().calibration().map(model::resolveSibling)),
                                store),
                        Map.of());
            case Source.Uploaded uploaded when spec.takesText() -> packFolder(uploaded, spec);
            case Source.Uploaded uploaded ->
                borrowing(
                        uploaded,
                        (files, lent) -> kept(
                                Packager.pack(
                                        shaped(files, spec),
                                        Transform.of(
                                                spec,
                                                ranges,
                                                uploaded.calibration().map(digest -> local(digest, lent))),
                                        store),
                                uploaded.files()));
        };
    }

    private PackageResult packFolder(Source.Uploaded uploaded, FunctionSpec spec) {
        List<BorrowedFile> lent = new ArrayList<>();
        try (var linked = LinkedFolder.of(local(uploaded.model(), lent), others(uploaded, lent))) {
            return kept(packed(linked.folder(), spec), uploaded.files());
        } finally {
            lent.forEach(BorrowedFile::close);
        }
    }

    /** Faults of a folder's files are those of the model, in which the file is named. */
    private PackagingResult packed(Path folder, FunctionSpec spec) {
        return switch (FolderPackager.pack(folder, spec, store)) {
            case PackagingResult.Packaged packaged -> packaged;
            case PackagingResult.Refused(var faults) ->
                new PackagingResult.Refused(faults.stream()
                        .map(fault ->
                                fault.path().startsWith("spec.") ? fault : new Fault("spec.model", fault.toString()))
                        .toList());
        };
    }

    private Map<String, Path> others(Source.Uploaded source, List<BorrowedFile> lent) {
        Map<String, Path> files = new HashMap<>();
        source.externalData().forEach((location, digest) -> files.put(location, local(digest, lent)));
        return files;
    }

    private static ModelFiles shaped(ModelFiles files, FunctionSpec spec) {
        return files.with(spec.modelInterface());
    }

    /** Measures the ranges that {@link #run} needs. */
    RangesResult measured(CalibrationUnitResult calibration) {
        return measuring.run(calibration);
    }

    PackageResult optimized(PackageResult.Unit packaged) {
        return packaged.needsOptimization() ? optimizing.run(packaged) : packaged;
    }

    /**
     * Whether a version was packaged from exactly these files, and its unit is complete in the store. The spec alone
     * does not show this: it may name objects that change.
     */
    boolean isMadeOf(Version version, Source.Uploaded source) {
        return version.model().equals(source.model())
                && origins.of(version.unit())
                        .filter(origin -> origin.files().equals(source.files()))
                        .isPresent()
                && new UnitStore(store).holds(version.unit());
    }

    /** Returns the unit of an existing version. */
    PackageResult.Unit reuse(Version version) {
        return new PackageResult.Unit(
                version.unit(),
                version.model(),
                origins.of(version.unit()).map(Origin::warnings).orElse(List.of()),
                OptimizeStep.isNeeded(new UnitStore(store).read(version.unit())));
    }

    /** A unit keeps the type that it was packaged as; only its model can be packaged as another type. */
    private PackageResult existing(Digest unit, FunctionSpec spec) {
        UnitManifest manifest = new UnitStore(store).read(unit);
        if (!manifest.type().equals(spec.type().name())) {
            return new PackageResult.Refused(List.of(new Fault(
                    "spec.type",
                    "is %s, but unit %s was packaged as %s; write the model's file or its digest under spec.model, or type: %3$s"
                            .formatted(spec.type(), unit, manifest.type()))));
        }
        Optional<Origin> origin = origins.of(unit);
        return new PackageResult.Unit(
                unit,
                // The model of a unit that was copied here is unknown; its own digest stands in.
                origin.map(Origin::model).map(Digest::new).orElse(unit),
                origin.map(Origin::warnings).orElse(List.of()),
                OptimizeStep.isNeeded(manifest));
    }

    private interface WithFiles<T> {
        T use(ModelFiles files, List<BorrowedFile> lent);
    }

    /** Keeps local copies of the uploaded files while {@code next} uses them. */
    private <T> T borrowing(Source.Uploaded source, WithFiles<T> next) {
        List<BorrowedFile> lent = new ArrayList<>();
        try {
            Path file = local(source.model(), lent);
            Map<String, Path> beside = others(source, lent);
            return next.use(new ModelFiles(file, location -> Optional.ofNullable(beside.get(location))), lent);
        } finally {
            lent.forEach(BorrowedFile::close);
        }
    }

    private Path local(Digest digest, List<BorrowedFile> lent) {
        lent.add(models.borrow(digest));
        return lent.getLast().file();
    }

    /** @param others digests of the files beside the model, by their path in the spec */
    private PackageResult kept(PackagingResult result, Map<String, String> others) {
        return switch (result) {
            case PackagingResult.Refused(var faults) ->
                new PackageResult.Refused(
                        faults.stream().map(PackageStep::inSpec).toList());
            case PackagingResult.Packaged packaged -> {
                origins.write(
                        packaged.unit(),
                        new Origin(
                                Origin.SCHEMA,
                                packaged.model().value(),
                                packaged.analysis().summary(),
                                packaged.warnings(),
                                others,
                                packaged.manifest().bytes()));
                yield new PackageResult.Unit(
                        packaged.unit(),
                        packaged.model(),
                        packaged.warnings(),
                        OptimizeStep.isNeeded(packaged.manifest()));
            }
        };
    }

    private static Fault inSpec(Fault fault) {
        if (fault.path().startsWith("spec.")) {
            return fault;
        }
        return new Fault(
                fault.path().startsWith("model") ? "spec." + fault.path() : "spec.model",
                fault.path().startsWith("model") ? fault.message() : fault.toString());
    }
}
