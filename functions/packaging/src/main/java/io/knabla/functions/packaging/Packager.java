package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.onnx.ExternalData;
import io.knabla.functions.compiler.onnx.ModelReader;
import io.knabla.functions.compiler.optimize.quantize.Quantization;
import io.knabla.functions.compiler.optimize.quantize.Quantization.Options;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.UnitParts.Prepared;
import io.knabla.functions.packaging.UnitWriter.Written;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Packages a model into a unit: read → check → split off weights → differentiate or quantise if requested → analyse →
 * store. Deterministic: the same input gives the same digest. A refused model leaves nothing in the store.
 */
public final class Packager {
    private Packager() {}

    /**
     * Packages a model without a transformation.
     *
     * @throws UncheckedIOException if the model's files cannot be read
     * @throws io.knabla.functions.unit.UnitException if the store cannot be written
     */
    public static PackagingResult pack(ModelFiles files, ObjectStore store) {
        return pack(files, Optional.empty(), store);
    }

    /** @param plan what to differentiate; empty for the model as it is */
    public static PackagingResult pack(ModelFiles files, Optional<GradientRequest> plan, ObjectStore store) {
        return pack(files, plan.<Transform>map(Transform.Differentiate::new).orElseGet(Transform.None::new), store);
    }

    public static PackagingResult pack(ModelFiles files, Transform transform, ObjectStore store) {
        return switch (ModelCheck.check(files)) {
            case Checked.Bad(var faults) -> new PackagingResult.Refused(faults);
            case Checked.Good good -> pack(good, files, transform, store);
        };
    }

    /** Runs only the static analysis; stores nothing. */
    public static Analyzed analyze(ModelFiles files) {
        return switch (ModelCheck.check(files)) {
            case Checked.Bad(var faults) -> new Analyzed.Refused(faults);
            case Checked.Good good -> new Analyzed.Done(good.analysis(), good.warnings());
        };
    }

    /** Result of an analysis without packaging. */
    public sealed interface Analyzed {
        record Done(Analysis analysis, List<String> warnings) implements Analyzed {}

        record Refused(List<Fault> faults) implements Analyzed {}
    }

    /**
     * Stores a unit with which the engine measures the ranges for {@link Transform.QuantizeStatic}. Nothing refers to
     * it afterwards, so the garbage collector deletes it.
     *
     * @param calibration sample requests in JSON, or arrays in NPZ format
     */
    public static CalibrationUnitResult calibrationUnit(ModelFiles files, Path calibration, ObjectStore store) {
        try {
            return switch (ModelCheck.check(files)) {
                case Checked.Bad(var faults) -> new CalibrationUnitResult.Refused(faults);
                case Checked.Good good ->
                    CalibrationUnitBuilder.build(good, calibration, new UnitWriter(new UnitStore(store)));
            };
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + files.model() + " or " + calibration, failed);
        }
    }

    private static PackagingResult pack(Checked.Good good, ModelFiles files, Transform transform, ObjectStore store) {
        try {
            Digest model = digest(files.model());
            return switch (prepared(good, transform, model)) {
                case Prepared.Refused(var faults) -> new PackagingResult.Refused(faults);
                case Prepared.Ready(var parts) -> {
                    Optional<Fault> unreadable = UnitWriter.unreadable(parts);
                    if (unreadable.isPresent()) {
                        yield new PackagingResult.Refused(List.of(unreadable.get()));
                    }
                    Written unit = new UnitWriter(new UnitStore(store)).write(parts);
                    yield new PackagingResult.Packaged(
                            unit.digest(), model, unit.manifest(), parts.analysis(), parts.warnings());
                }
            };
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot package " + files.model(), failed);
        }
    }

    private static Prepared prepared(Checked.Good good, Transform transform, Digest model) throws IOException {
        return switch (transform) {
            case Transform.None _ -> new Prepared.Ready(UnitParts.plain(good));
            case Transform.Differentiate(var plan) -> GradientUnitBuilder.build(good, plan, model);
            case Transform.QuantizeDynamic _ ->
                withDefaults(good, ModelQuantizer.quantize(good, new Quantization.Dynamic(Options.DEFAULT), model));
            case Transform.Half(var samples) -> withDefaults(good, HalfUnitBuilder.build(good, samples, model));
            case Transform.QuantizeStatic(var ranges) ->
                withDefaults(
                        good, ModelQuantizer.quantize(good, new Quantization.Static(ranges, Options.DEFAULT), model));
        };
    }

    /** The quantised model has the same inputs, but it is checked as a model of its own, which has no defaults. */
    private static Prepared withDefaults(Checked.Good good, Prepared prepared) {
        return switch (prepared) {
            case Prepared.Ready(var parts) -> new Prepared.Ready(parts.with(good.defaults()));
            case Prepared.Refused refused -> refused;
        };
    }

    static Digest digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Sha256.of(in);
        }
    }

    /**
     * The external data files that a model references, for callers that must upload them; empty if it is not a model.
     */
    public static Optional<List<String>> externalLocations(Path model) throws IOException {
        return switch (ModelReader.read(model)) {
            case ModelReader.ReadResult.Refused _ -> Optional.empty();
            case ModelReader.ReadResult.Opened(var opened) ->
                Optional.of(List.copyOf(ExternalData.locations(opened.proto())));
        };
    }
}
