package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.optimize.quantize.Quantization;
import io.knabla.functions.compiler.optimize.quantize.QuantizationReport;
import io.knabla.functions.compiler.optimize.quantize.QuantizationResult;
import io.knabla.functions.compiler.optimize.quantize.Quantizer;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.UnitParts.Prepared;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Quantises an inference model to 8-bit integers and prepares its unit. */
final class ModelQuantizer {
    /** Measured: 484 MB of weights were quantised with 4,000 MB of heap, and not with 3,000. */
    private static final long HEAP_TO_WEIGHTS = 8;

    /** What the rest of this process needs of the heap. */
    private static final long OTHER_HEAP = 64L << 20;

    private ModelQuantizer() {}

    /** A model as values and operations, or why it cannot be quantised. */
    sealed interface Imported {
        record Ready(Dag dag) implements Imported {}

        record Refused(List<Fault> faults) implements Imported {}
    }

    static Prepared quantize(Checked.Good source, Quantization quantization, Digest model) throws IOException {
        return switch (imported(source)) {
            case Imported.Refused(var faults) -> new Prepared.Refused(faults);
            case Imported.Ready(var dag) -> {
                try {
                    yield prepared(Quantizer.quantize(dag, quantization), quantization, model);
                } catch (IllegalArgumentException unfit) {
                    yield new Prepared.Refused(List.of(new Fault("spec.quantize", unfit.getMessage())));
                }
            }
        };
    }

    static Imported imported(Checked.Good source) throws IOException {
        long size = source.analysis().weightBytes();
        if (size > WeightMerger.MOST_BYTES) {
            return new Imported.Refused(List.of(new Fault(
                    "spec.quantize.type",
                    "the model has %,d bytes of weights, at most %,d can be quantised; write type: None"
                            .formatted(size, WeightMerger.MOST_BYTES))));
        }
        Optional<Fault> large = exceedsHeap(size, Runtime.getRuntime().maxMemory());
        if (large.isPresent()) {
            return new Imported.Refused(List.of(large.get()));
        }
        return switch (Importer.read(Model.of(whole(source)))) {
            case ImportResult.Refused(var problems) ->
                new Imported.Refused(problems.stream()
                        .map(p -> new Fault("model." + p.path(), p.message()))
                        .toList());
            case ImportResult.Success(var dag) -> new Imported.Ready(dag);
        };
    }

    /** Quantising holds the weights on the heap: a model that is too large for it would end this process. */
    static Optional<Fault> exceedsHeap(long weightBytes, long heapBytes) {
        long needed = OTHER_HEAP + HEAP_TO_WEIGHTS * weightBytes;
        return needed <= heapBytes
                ? Optional.empty()
                : Optional.of(new Fault(
                        "spec.quantize.type",
                        "quantising %d MiB of weights takes up to %d MiB of heap, and this platform has %d; start it with more (JDK_JAVA_OPTIONS=-Xmx%dm ./knabla up), or write type: None"
                                .formatted(
                                        mebibytes(weightBytes),
                                        mebibytes(needed),
                                        heapBytes >> 20,
                                        mebibytes(needed))));
    }

    private static long mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1L << 20);
    }

    private static ModelProto whole(Checked.Good source) throws IOException {
        Map<String, TensorSource> blobs = new HashMap<>();
        for (Map.Entry<Blob, TensorSource> blob : source.split().blobs().entrySet()) {
            blobs.put(blob.getKey().digest().hex(), blob.getValue());
        }
        return WeightMerger.merge(
                source.split().model(), tensor -> WeightMerger.location(tensor).map(blobs::get));
    }

    private static Prepared prepared(QuantizationResult quantized, Quantization quantization, Digest model) {
        ModelProto written = Provenance.ofQuantized(model, quantization).addTo(Exporter.write(quantized.dag()), "main");
        return switch (ModelCheck.check(Model.of(written), ModelFiles.NONE)) {
            case Checked.Bad(var faults) -> new Prepared.Refused(faults);
            case Checked.Good good -> {
                List<String> warnings = new ArrayList<>(good.warnings());
                warnings.add(told(quantized.report()));
                yield new Prepared.Ready(UnitParts.plain(new Checked.Good(
                        good.split(),
                        good.signature(),
                        good.classes(),
                        good.defaults(),
                        good.analysis(),
                        List.copyOf(warnings))));
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
}
