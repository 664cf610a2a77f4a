package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.optimize.quantize.CalibrationSet;
import io.knabla.functions.compiler.optimize.quantize.Quantization;
import io.knabla.functions.compiler.optimize.quantize.Quantization.Options;
import io.knabla.functions.compiler.optimize.quantize.QuantizationReport;
import io.knabla.functions.compiler.optimize.quantize.QuantizationResult;
import io.knabla.functions.compiler.optimize.quantize.Quantizer;
import io.knabla.functions.compiler.optimize.quantize.RangeCalibrator;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.UnitParts.Prepared;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Quantises an inference model to 8-bit integers and prepares its unit. */
final class ModelQuantizer {
    /** Limit of the work for measuring ranges in the Java evaluator: about half a minute. */
    private static final long MOST_FLOPS = 20_000_000_000L;

    private static final byte[] ZIP = {'P', 'K', 3, 4};
    private static final int BATCH = 32;

    private final Checked.Good source;
    private final FaultCollector faults = new FaultCollector();

    private ModelQuantizer(Checked.Good source) {
        this.source = source;
    }

    /** @param calibration sample requests to measure activations with; empty for dynamic quantisation */
    static Prepared quantize(Checked.Good source, Optional<Path> calibration, Digest model) throws IOException {
        long size = source.analysis().weightBytes();
        if (size > WeightMerger.MOST_BYTES) {
            return refused(
                    "spec.quantize.type",
                    "the model has %,d bytes of weights, at most %,d can be quantised; write type: None"
                            .formatted(size, WeightMerger.MOST_BYTES));
        }
        return new ModelQuantizer(source).quantized(calibration, model);
    }

    private Prepared quantized(Optional<Path> calibration, Digest model) throws IOException {
        return switch (Importer.read(Model.of(whole()))) {
            case ImportResult.Refused(var problems) ->
                new Prepared.Refused(problems.stream()
                        .map(p -> new Fault("model." + p.path(), p.message()))
                        .toList());
            case ImportResult.Success(var dag) -> {
                Quantization quantization = calibration.isEmpty()
                        ? new Quantization.Dynamic(Options.DEFAULT)
                        : measured(dag, calibration.get());
                yield faults.isEmpty()
                        ? prepared(Quantizer.quantize(dag, quantization), quantization, model)
                        : new Prepared.Refused(faults.toList());
            }
        };
    }

    private ModelProto whole() throws IOException {
        Map<String, TensorSource> blobs = new HashMap<>();
        for (Map.Entry<Blob, TensorSource> blob : source.split().blobs().entrySet()) {
            blobs.put(blob.getKey().digest().hex(), blob.getValue());
        }
        return WeightMerger.merge(
                source.split().model(), tensor -> WeightMerger.location(tensor).map(blobs::get));
    }

    /** Returns a static quantisation without ranges if there are faults. */
    private Quantization measured(Dag dag, Path calibration) throws IOException {
        List<Map<String, NdArray>> batches = batches(dag, calibration);
        long rows = batches.stream().mapToLong(ModelQuantizer::rows).sum();
        if (source.analysis().flops() > MOST_FLOPS / Math.max(1, rows)) {
            faults.add(
                    "spec.quantize.calibration",
                    "makes the model run %d times with %,d FLOPs each, at most %,d in all are spent on it; send fewer requests, or write type: Dynamic",
                    rows,
                    source.analysis().flops(),
                    MOST_FLOPS);
        }
        if (!faults.isEmpty()) {
            return new Quantization.Static(Map.of(), Options.DEFAULT);
        }
        try {
            var ranges = RangeCalibrator.ranges(
                    dag, Options.DEFAULT, new RangeCalibrator.Method.MinMax(), batches.stream(), DagEvaluator::run);
            return new Quantization.Static(ranges, Options.DEFAULT);
        } catch (IllegalArgumentException unfit) {
            faults.add("spec.quantize.calibration", "the model does not run on these requests: %s", unfit.getMessage());
            return new Quantization.Static(Map.of(), Options.DEFAULT);
        }
    }

    /** Reads arrays in NPZ format or requests in JSON, distinguished by the first bytes. */
    private List<Map<String, NdArray>> batches(Dag dag, Path calibration) throws IOException {
        if (!isZip(calibration)) {
            return CalibrationRequests.read(calibration, source.signature().inputs(), faults);
        }
        Map<String, TensorType> inputs = new HashMap<>();
        dag.inputs().forEach((name, value) -> inputs.put(name, value.type()));
        return switch (CalibrationSet.read(calibration, inputs)) {
            case CalibrationSet.Read.Opened(var set) -> set.batches(BATCH).toList();
            case CalibrationSet.Read.Refused(var problems) -> {
                problems.forEach(p -> faults.add("spec.quantize.calibration", "%s", p));
                yield List.of();
            }
        };
    }

    private static boolean isZip(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(ZIP.length), ZIP);
        }
    }

    /** The analysis takes variable sizes as 1, so every row of a batch counts as one run. */
    private static long rows(Map<String, NdArray> batch) {
        return batch.values().stream()
                .mapToLong(array -> array.rank() == 0 ? 1 : array.dim(0))
                .max()
                .orElse(1);
    }

    private static Prepared prepared(QuantizationResult quantized, Quantization quantization, Digest model) {
        ModelProto written = Provenance.ofQuantized(model, quantization).addTo(Exporter.write(quantized.dag()), "main");
        var nothing = new ModelFiles(Path.of(""), _ -> Optional.empty());
        return switch (ModelCheck.check(Model.of(written), nothing)) {
            case Checked.Bad(var faults) -> new Prepared.Refused(faults);
            case Checked.Good good -> {
                List<String> warnings = new ArrayList<>(good.warnings());
                warnings.add(told(quantized.report()));
                yield new Prepared.Ready(UnitParts.plain(
                        new Checked.Good(good.split(), good.signature(), good.analysis(), List.copyOf(warnings))));
            }
        };
    }

    private static String told(QuantizationReport report) {
        double worst = report.weights().stream()
                .mapToDouble(QuantizationReport.Weight::error)
                .max()
                .orElse(0);
        return "quantised %d weights, %,d to %,d bytes, each changed by at most %.1f %%; %d operations stay as they are%s"
                .formatted(
                        report.weights().size(),
                        report.bytesBefore(),
                        report.bytesAfter(),
                        100 * worst,
                        report.kept().size(),
                        report.kept().isEmpty()
                                ? ""
                                : ", such as %s: %s"
                                        .formatted(
                                                report.kept().getFirst().path(),
                                                report.kept().getFirst().message()));
    }

    private static Prepared refused(String path, String why) {
        return new Prepared.Refused(List.of(new Fault(path, why)));
    }
}
