package io.knabla.functions.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The graph that the sample characters-training trains, and the decoder that serves its weights, compute the same. */
class CharactersSampleTest {
    private static final OrtEnvironment ENGINE = OrtEnvironment.getEnvironment();
    private static final Path SAMPLES = Path.of("../samples");
    private static final Path TRAINED = SAMPLES.resolve("characters-training/untrained.onnx");
    private static final Path SERVED = SAMPLES.resolve("characters/model");
    private static final int CONTEXT = 128;

    @TempDir
    Path folder;

    @Test
    void logitsAreThoseOfTheTrainingGraph() throws IOException, OrtException {
        int[] text = new Random(7).ints(CONTEXT, 0, 96).toArray();
        ModelFolder model = TestModel.open(servedFolder());
        Path graph = folder.resolve("decoder.onnx");
        DecoderGraph.of(model, new Precision.Float32(), CONTEXT).write(graph);
        assertThat(model.weights().faults()).isEmpty();

        float[][] expected = trainingLogits(text);
        try (var decoder = new TestDecoder(graph, model.config(), CONTEXT)) {
            TestDecoder.Batch batch = decoder.new Batch(1);
            for (int position = 0; position < CONTEXT; position++) {
                float[] logits = batch.append(0, new int[][] {{text[position]}})[0];
                assertThat(logits)
                        .as("after character %d", position)
                        .containsExactly(expected[position], within(1e-4f));
            }
        }
        assertThat(expected[CONTEXT - 1]).isNotEqualTo(expected[0]);
    }

    /** The sample's folder with the weights that {@code ./knabla export} would write before the first step. */
    private Path servedFolder() throws IOException {
        Path model = Files.createDirectory(folder.resolve("model"));
        for (String file : List.of("config.json", "tokenizer.json")) {
            Files.copy(SERVED.resolve(file), model.resolve(file));
        }
        List<Values> weights =
                ModelProto.parseFrom(Files.readAllBytes(TRAINED)).getGraph().getInitializerList().stream()
                        .map(CharactersSampleTest::values)
                        .toList();
        try (InputStream in =
                SafeTensors.content(weights, Map.of("format", "pt")).open()) {
            Files.copy(in, model.resolve("model.safetensors"));
        }
        return model;
    }

    private static Values values(TensorProto tensor) {
        List<Long> shape = tensor.getDimsList();
        var spec = new TensorSpec(tensor.getName(), DataType.FP32, shape, Collections.nCopies(shape.size(), ""));
        return new Values(spec, tensor.getRawData().asReadOnlyByteBuffer());
    }

    private static float[][] trainingLogits(int[] text) throws OrtException {
        long[][] characters = {Arrays.stream(text).asLongStream().toArray()};
        try (var session = ENGINE.createSession(TRAINED.toString());
                var input = OnnxTensor.createTensor(ENGINE, characters);
                var outputs = session.run(Map.of("characters", input))) {
            return ((float[][][]) outputs.get(0).getValue())[0];
        }
    }
}
