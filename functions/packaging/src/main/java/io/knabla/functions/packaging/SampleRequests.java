package io.knabla.functions.packaging;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.optimize.quantize.CalibrationSet;
import io.knabla.functions.unit.TensorSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads sample requests for a model: in JSON, or as arrays in NPZ format. */
final class SampleRequests {
    private static final String PATH = "spec.quantize.calibration";
    private static final byte[] ZIP = {'P', 'K', 3, 4};
    private static final int BATCH = 32;

    private SampleRequests() {}

    /** Returns the inputs of each request and adds faults; distinguishes the formats by their first bytes. */
    static List<Map<String, NdArray>> read(Dag dag, List<TensorSpec> inputs, Path file, FaultCollector faults)
            throws IOException {
        if (!isZip(file)) {
            return CalibrationRequests.read(file, inputs, faults);
        }
        Map<String, TensorType> types = new HashMap<>();
        dag.inputs().forEach((name, value) -> types.put(name, value.type()));
        return switch (CalibrationSet.read(file, types)) {
            case CalibrationSet.Read.Opened(var set) -> set.batches(BATCH).toList();
            case CalibrationSet.Read.Refused(var problems) -> {
                problems.forEach(p -> faults.add(PATH, "%s", p));
                yield List.of();
            }
        };
    }

    private static boolean isZip(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(ZIP.length), ZIP);
        }
    }
}
