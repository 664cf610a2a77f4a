package io.knabla.functions.packaging;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.optimize.quantize.CalibrationGraph;
import io.knabla.functions.compiler.optimize.quantize.Quantization.Options;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.ModelQuantizer.Imported;
import io.knabla.functions.packaging.WeightSplitter.Split;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.CalibrationSamples;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prepares the unit with which the engine measures activations: the model with their ranges as its outputs, and the
 * samples to run it on.
 */
final class CalibrationUnitBuilder {
    private static final String PATH = "spec.quantize.calibration";

    /** Keeps the header of the samples within what safetensors readers accept. */
    private static final int MOST_REQUESTS = 10_000;

    private final List<TensorSpec> inputs;
    private final FaultCollector faults = new FaultCollector();

    private CalibrationUnitBuilder(List<TensorSpec> inputs) {
        this.inputs = inputs;
    }

    /** @param calibration sample requests in JSON, or arrays in NPZ format */
    static CalibrationUnitResult build(Checked.Good source, Path calibration, UnitWriter store) throws IOException {
        return switch (ModelQuantizer.imported(source)) {
            case Imported.Refused(var faults) -> new CalibrationUnitResult.Refused(faults);
            case Imported.Ready(var dag) ->
                new CalibrationUnitBuilder(source.signature().inputs()).build(dag, calibration, store);
        };
    }

    private CalibrationUnitResult build(Dag dag, Path calibration, UnitWriter store) throws IOException {
        List<Map<String, NdArray>> requests = SampleRequests.read(dag, inputs, calibration, faults);
        if (requests.size() > MOST_REQUESTS) {
            faults.add(
                    PATH,
                    "holds %,d requests, at most %,d are run; some dozens are enough",
                    requests.size(),
                    MOST_REQUESTS);
        }
        if (!faults.isEmpty()) {
            return new CalibrationUnitResult.Refused(faults.toList());
        }
        Dag probe = CalibrationGraph.of(dag, Options.DEFAULT);
        if (probe.outputs().isEmpty()) {
            return new CalibrationUnitResult.NothingToMeasure();
        }
        return switch (ModelCheck.check(Model.of(Exporter.write(probe)), ModelFiles.NONE)) {
            case Checked.Bad(var found) -> new CalibrationUnitResult.Refused(found);
            case Checked.Good good -> {
                UnitParts parts = UnitParts.plain(with(samples(requests), good));
                yield new CalibrationUnitResult.Stored(store.write(parts).digest());
            }
        };
    }

    private Content samples(List<Map<String, NdArray>> requests) {
        List<Values> tensors = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            for (TensorSpec input : inputs) {
                tensors.add(values(
                        CalibrationSamples.name(i, input.name()),
                        input,
                        requests.get(i).get(input.name())));
            }
        }
        return SafeTensors.content(tensors, Map.of(CalibrationSamples.REQUESTS, Integer.toString(requests.size())));
    }

    private static Values values(String name, TensorSpec input, NdArray array) {
        List<Long> shape = Arrays.stream(array.dims()).mapToObj(Long::valueOf).toList();
        var spec = new TensorSpec(name, input.datatype(), shape, Collections.nCopies(shape.size(), ""));
        return new Values(spec, array.toProto(name).getRawData().asReadOnlyByteBuffer());
    }

    /** Adds the samples behind the weights, where {@link CalibrationSamples#of} finds them. */
    private static Checked.Good with(Content samples, Checked.Good probe) throws IOException {
        Map<Blob, TensorSource> blobs = new LinkedHashMap<>(probe.split().blobs());
        try (InputStream in = samples.open()) {
            blobs.put(new Blob(Sha256.of(in), samples.size()), new TensorSource.Generated(samples));
        }
        return new Checked.Good(
                new Split(probe.split().model(), blobs),
                probe.signature(),
                probe.classes(),
                probe.defaults(),
                probe.analysis(),
                probe.warnings());
    }
}
