package io.knabla.bench.model;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A model file with one row of input and the output that every server must return.
 *
 * @param expected computed by ONNX Runtime in this process, independent of the servers
 */
public record BenchModel(Path file, float[] input, float[] expected) {
    public static BenchModel write(Mlp mlp, Path file) {
        float[] input = new float[mlp.widths()[0]];
        for (int i = 0; i < input.length; i++) {
            input[i] = (i + 1) / 64f;
        }
        try {
            try (var out = Files.newOutputStream(file)) {
                mlp.onnx().writeTo(out);
            }
            try (var engine = new Engine(file)) {
                return new BenchModel(file, input, engine.run(input));
            }
        } catch (IOException error) {
            throw new UncheckedIOException("cannot write the model " + file, error);
        } catch (OrtException error) {
            throw new IllegalStateException("ONNX Runtime refuses " + file, error);
        }
    }

    public String inputName() {
        return Mlp.INPUT;
    }
}
