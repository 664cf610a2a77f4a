package io.knabla.runtime.ranges;

import io.knabla.functions.unit.CalibrationSamples;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a calibration unit on its samples and finds the range of each output over all of them. */
public final class RangeMeasurement {
    private RangeMeasurement() {}

    /**
     * Returns the ranges by output, in the model's order.
     *
     * @param folder of the materialised unit
     * @throws IllegalArgumentException if an output is not finite
     */
    public static Map<String, OutputRange> measure(Engine engine, GraphManifest manifest, Path folder) {
        Path file = folder.resolve(CalibrationSamples.of(manifest).digest().hex());
        try (SampleFile samples = SampleFile.open(file)) {
            Map<String, OutputRange> ranges = new LinkedHashMap<>();
            for (int i = 0; i < samples.requests(); i++) {
                List<Tensor> inputs = samples.read(i, manifest.inputs(), engine.inputs());
                run(engine, manifest, inputs).forEach((name, range) -> ranges.merge(name, range, OutputRange::join));
            }
            ranges.forEach(RangeMeasurement::checkFinite);
            return ranges;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the samples " + file, unreadable);
        }
    }

    private static Map<String, OutputRange> run(Engine engine, GraphManifest manifest, List<Tensor> inputs) {
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        return engine.infer(inputs, wanted, System.nanoTime(), result -> {
            Map<String, OutputRange> ranges = new LinkedHashMap<>();
            result.outputs().forEach(output -> ranges.put(output.name(), OutputRange.of(output)));
            return ranges;
        });
    }

    private static void checkFinite(String name, OutputRange range) {
        if (!range.isFinite()) {
            throw new IllegalArgumentException(
                    "%s reaches from %s to %s on the calibration set".formatted(name, range.low(), range.high()));
        }
    }
}
