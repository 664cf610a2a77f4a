package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.ModelReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** The sample's trained model and its images of digits: 1,297 training images, then 500 test images. */
final class Digits {
    private static final Path SAMPLES = Path.of("../samples");
    private static final int PIXELS = 64;
    static final int TRAINED = 1297;
    static final int ALL = 1797;

    private final byte[] rows;

    Digits() throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(SAMPLES.resolve("digits-training/digits.gz")))) {
            rows = in.readAllBytes();
        }
    }

    static Dag dag() throws IOException {
        Model model = ((ModelReader.ReadResult.Opened) ModelReader.read(SAMPLES.resolve("digits/digits.onnx"))).model();
        return ((Importer.ImportResult.Success) Importer.read(model)).dag();
    }

    /** Converts to the inputs of the training: 8-bit grey levels divided by 255. */
    NdArray images(int from, int to) {
        double[] pixels = new double[(to - from) * PIXELS];
        for (int i = 0; i < pixels.length; i++) {
            int level = rows[(from + i / PIXELS) * (PIXELS + 1) + i % PIXELS];
            pixels[i] = Math.rint(level * 255 / 16.0) / 255;
        }
        return NdArray.floats(new int[] {to - from, 1, 8, 8}, pixels);
    }

    /** Number of images that the logits classify correctly. */
    int right(NdArray logits, int from) {
        int right = 0;
        for (int i = 0; i < logits.dim(0); i++) {
            int best = 0;
            for (int c = 1; c < 10; c++) {
                best = logits.real(i * 10 + c) > logits.real(i * 10 + best) ? c : best;
            }
            right += best == rows[(from + i) * (PIXELS + 1) + PIXELS] ? 1 : 0;
        }
        return right;
    }
}
