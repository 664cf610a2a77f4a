package io.knabla.functions.compiler.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.Onnx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading of valid, truncated, oversized and foreign files. */
class ModelReaderTest {
    private static final byte[] MODEL = Onnx.mlp(8, 8, 8).toByteArray();
    private static final Limits FEW = new Limits(1 << 20, 500, 50, 20, 3, 4096, 4096, 4096);

    private static String refusal(byte[] bytes) {
        return refusal(bytes, Limits.DEFAULT);
    }

    private static String refusal(byte[] bytes, Limits limits) {
        return ((ModelReader.ReadResult.Refused) ModelReader.read(ByteBuffer.wrap(bytes), limits)).why();
    }

    @Test
    void mapsFileWithoutCopyingWeights(@TempDir Path folder) throws IOException {
        ModelProto model = Onnx.mlp(64, 64, 64);
        Path file = Onnx.save(model, folder.resolve("m.onnx"));

        Model read = ((ModelReader.ReadResult.Opened) ModelReader.read(file)).model();

        assertThat(read.proto()).isEqualTo(model);
        assertThat(read.proto()
                        .getGraph()
                        .getInitializer(0)
                        .getRawData()
                        .asReadOnlyByteBuffer()
                        .isDirect())
                .isTrue();
    }

    static Stream<Arguments> lookalikes() {
        return Stream.of(
                Arguments.of("\u0089PNG\r\n\u001a\n0000IHDR", "a PNG image"),
                Arguments.of("\u0089HDF\r\n\u001a\nxxxxxxx", "Keras"),
                Arguments.of("0000TFL3xxxx", "TensorFlow Lite"),
                Arguments.of("version https://git-lfs.github.com/spec/v1", "git lfs pull"),
                Arguments.of("import torch", "text file that starts 'import torch'"),
                Arguments.of("<!DOCTYPE html>", "text file"),
                Arguments.of("GGUFxxxx", "GGUF"),
                Arguments.of("GGUFxxxx", "optimum-cli export onnx --model"),
                Arguments.of("CBM1xxxx", "format='onnx'"),
                Arguments.of("tree\nversion=v4\n", "convert_lightgbm"),
                Arguments.of("{\"learner\":{}}", "convert_xgboost"),
                Arguments.of("\u0080\u0004\u0095 csklearn.linear_model", "skl2onnx.to_onnx"),
                Arguments.of("\u0080\u0002}q", "pickle"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("lookalikes")
    void guessesFileType(String bytes, String says) {
        assertThat(refusal(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("not a usable ONNX model: ")
                .contains(says);
    }

    @Test
    void guessesFileTypeFromContent() throws IOException {
        assertThat(refusal(zipOf("model/data.pkl"))).contains("PyTorch").contains("torch.onnx.export");
        assertThat(refusal(zipOf("m/data.pkl", "m/constants.pkl"))).contains("torch.onnx.export(torch.jit.load(");
        assertThat(refusal(zipOf("archive/models/model.json"))).contains("torch.export.load(");
        assertThat(refusal(zipOf("config.json", "model.weights.h5"))).contains(".export('model.onnx'");
        assertThat(refusal(new byte[0])).contains("is empty");
        assertThat(refusal(new byte[] {8, 1})).contains("holds no ONNX graph");
        assertThat(refusal(Arrays.copyOf(MODEL, MODEL.length / 2))).contains("breaks off");
    }

    private static byte[] zipOf(String... entries) throws IOException {
        var zip = new ByteArrayOutputStream();
        try (var out = new ZipOutputStream(zip)) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
            }
        }
        return zip.toByteArray();
    }

    @Test
    void aLargeFileOfAnotherFormatIsRecognised(@TempDir Path folder) throws IOException {
        byte[] large = Arrays.copyOf("GGUF".getBytes(StandardCharsets.US_ASCII), (int) FEW.fileBytes() + 1);
        Path file = Files.write(folder.resolve("m.gguf"), large);

        assertThat(ModelReader.read(file, FEW)).asString().contains("GGUF").doesNotContain("external data");
    }

    @Test
    void rejectsRandomBytes() {
        byte[] random = new byte[100_000];
        new Random(7).nextBytes(random);

        assertThat(refusal(random)).startsWith("not a usable ONNX model: ");
    }

    @Test
    void rejectsModelsBeyondLimits() {
        GraphProto.Builder nodes = GraphProto.newBuilder();
        for (int i = 0; i < 51; i++) {
            nodes.addNode(NodeProto.getDefaultInstance());
        }
        assertThat(refusal(bytes(nodes), FEW)).contains("more than 50 nodes");

        GraphProto.Builder tensors = GraphProto.newBuilder();
        for (int i = 0; i < 21; i++) {
            tensors.addInitializer(Onnx.floats("w" + i, 1, 1));
        }
        assertThat(refusal(bytes(tensors), FEW)).contains("more than 20 initializers");

        GraphProto.Builder names = GraphProto.newBuilder();
        NodeProto.Builder node = names.addNodeBuilder();
        for (int i = 0; i < 501; i++) {
            node.addInput("");
        }
        assertThat(refusal(bytes(names), FEW)).contains("more than 500 fields");

        var floats = GraphProto.newBuilder();
        for (int i = 0; i < 1025; i++) {
            if (i == 0) {
                floats.addInitializerBuilder();
            }
            floats.getInitializerBuilder(0).addFloatData(1);
        }
        assertThat(refusal(bytes(floats), FEW)).contains("one by one");
    }

    @Test
    void rejectsDeepNesting() {
        assertThat(refusal(bytes(nested(4).toBuilder()), FEW)).contains("deeper than 3");
        assertThat(ModelReader.read(ByteBuffer.wrap(bytes(nested(3).toBuilder())), FEW))
                .isInstanceOf(ModelReader.ReadResult.Opened.class);
        assertThat(refusal(bytes(nested(200).toBuilder()))).contains("deeper than");
    }

    private static GraphProto nested(int deep) {
        GraphProto graph = GraphProto.getDefaultInstance();
        for (int i = 0; i < deep; i++) {
            graph = GraphProto.newBuilder()
                    .addNode(NodeProto.newBuilder()
                            .addAttribute(AttributeProto.newBuilder().setG(graph)))
                    .build();
        }
        return graph;
    }

    private static byte[] bytes(GraphProto.Builder graph) {
        return ModelProto.newBuilder().setIrVersion(8).setGraph(graph).build().toByteArray();
    }

    @Property(tries = 1000)
    void rejectsTruncatedModels(@ForAll @IntRange(min = 0, max = 2000) int length) {
        byte[] part = Arrays.copyOf(MODEL, length % MODEL.length);
        // A cut between two top-level fields leaves a smaller, well-formed model.
        ModelReader.ReadResult read = ModelReader.read(ByteBuffer.wrap(part), Limits.DEFAULT);
        if (read instanceof ModelReader.ReadResult.Opened(var model)) {
            assertThat(model.proto().toByteArray()).isEqualTo(part);
        }
    }

    @Property(tries = 3000)
    void readsOrRejectsCorruptedModels(@ForAll @IntRange(min = 0, max = 100_000) int where, @ForAll byte[] splice) {
        byte[] changed = MODEL.clone();
        int at = where % changed.length;
        System.arraycopy(splice, 0, changed, at, Math.min(splice.length, changed.length - at));

        ModelReader.ReadResult read = ModelReader.read(ByteBuffer.wrap(changed), Limits.DEFAULT);

        assertThat(read).isNotNull();
    }
}
