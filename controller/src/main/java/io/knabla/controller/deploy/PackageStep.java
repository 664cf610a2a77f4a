package io.knabla.controller.deploy;

import io.knabla.controller.Home;
import io.knabla.controller.Ids;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.ModelSource.Source;
import io.knabla.controller.deploy.Origins.Origin;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.Packaging;
import io.knabla.functions.packaging.Transform;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.Units;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a unit of a model, or takes the one that is there. */
@Singleton
final class PackageStep {
    /** How it ended. */
    sealed interface Made {
        record Unit(Digest digest, Digest model, List<String> warnings) implements Made {}

        record Refused(List<Fault> faults) implements Made {}
    }

    private final ObjectStore store;
    private final Origins origins;
    private final Home home;
    private final Ids ids;

    PackageStep(ObjectStore store, Origins origins, Home home, Ids ids) {
        this.store = store;
        this.origins = origins;
        this.home = home;
        this.ids = ids;
    }

    Made run(Source.Ready source, FunctionSpec spec) {
        return switch (source) {
            case Source.ExistingUnit(var unit) -> existing(unit, spec);
            case Source.LocalFile(var model) -> local(model, spec);
            case Source.Uploaded(var model, var external) -> uploaded(model, external, spec);
        };
    }

    private Made local(Path model, FunctionSpec spec) {
        Optional<Path> calibration = spec.quantize().calibration().map(model::resolveSibling);
        if (calibration.isPresent() && !Files.isRegularFile(calibration.get())) {
            return new Made.Refused(
                    List.of(
                            new Fault(
                                    "spec.quantize.calibration",
                                    "there is no file '%s' on this machine"
                                            .formatted(calibration.get()))));
        }
        return pack(ModelFiles.beside(model), Transform.of(spec, calibration));
    }

    /** The unit of a version that is there already. */
    Made.Unit again(Version version) {
        return new Made.Unit(
                version.unit(),
                version.model(),
                origins.of(version.unit()).map(Origin::warnings).orElse(List.of()));
    }

    /** A unit is what it was packaged as; only its model could become something else. */
    private Made existing(Digest unit, FunctionSpec spec) {
        UnitManifest manifest = new Units(store).read(unit);
        FunctionType type =
                manifest.training().isPresent()
                        ? FunctionType.TrainingStep
                        : manifest.entries().isEmpty()
                                ? FunctionType.Inference
                                : FunctionType.Gradient;
        if (type != spec.type()) {
            return new Made.Refused(
                    List.of(
                            new Fault(
                                    "spec.type",
                                    "is %s, but unit %s was packaged as %s; write the model's file or its digest under spec.model, or type: %s"
                                            .formatted(spec.type(), unit, type, type))));
        }
        Optional<Origin> origin = origins.of(unit);
        return new Made.Unit(
                unit,
                // A unit that was copied here has no known model but itself.
                origin.map(Origin::model).map(Digest::new).orElse(unit),
                origin.map(Origin::warnings).orElse(List.of()));
    }

    private Made uploaded(Digest model, Map<String, Digest> external, FunctionSpec spec) {
        List<Path> copies = new ArrayList<>();
        try {
            Path file = local(model, copies);
            Map<String, Path> beside = new HashMap<>();
            for (var entry : external.entrySet()) {
                beside.put(entry.getKey(), local(entry.getValue(), copies));
            }
            Optional<Path> calibration = Optional.empty();
            if (spec.quantize().calibration().isPresent()) {
                Digest requests = new Digest(spec.quantize().calibration().get());
                calibration = Optional.of(local(requests, copies));
            }
            return pack(
                    new ModelFiles(file, location -> Optional.ofNullable(beside.get(location))),
                    Transform.of(spec, calibration));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read model " + model, failed);
        } finally {
            copies.forEach(PackageStep::delete);
        }
    }

    private Made pack(ModelFiles files, Transform transform) {
        return switch (Packager.pack(files, transform, store)) {
            case Packaging.Refused(var faults) ->
                    new Made.Refused(faults.stream().map(PackageStep::inSpec).toList());
            case Packaging.Packaged made -> {
                origins.write(
                        made.unit(),
                        new Origin(
                                Origin.SCHEMA,
                                made.model().value(),
                                made.analysis().summary(),
                                made.warnings()));
                yield new Made.Unit(made.unit(), made.model(), made.warnings());
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

    /** The store's own file where it has one; a copy that goes after packaging where not. */
    private Path local(Digest digest, List<Path> copies) throws IOException {
        ObjectKey key = ModelKeys.model(digest);
        Optional<Path> path = store.localPath(key);
        if (path.isPresent()) {
            return path.get();
        }
        Files.createDirectories(home.uploads());
        Path copy = home.uploads().resolve(digest.hex() + "." + ids.next() + ".tmp");
        copies.add(copy);
        try (InputStream in =
                store.open(key, ByteRange.ALL)
                        .orElseThrow(
                                () ->
                                        new IOException(
                                                "'%s' went away; upload it again"
                                                        .formatted(key)))) {
            Files.copy(in, copy);
        }
        return copy;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // The sweep at the next start takes it.
            System.getLogger(PackageStep.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + file, left);
        }
    }
}
