package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the packaging of inference models: weights, signature, determinism and order of writes. */
class PackagerTest {
    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private Packaged pack(ModelProto model) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        return (Packaged) Packager.pack(ModelFiles.beside(file), store);
    }

    private ModelProto graphOf(Packaged packaged) throws IOException {
        return ModelProto.parseFrom(store.objects.get(
                new ObjectKey("blobs/" + packaged.graphs().graph().digest().hex())));
    }

    @Test
    void splitsLargeWeightsAndKeepsTheRest() throws IOException {
        ModelProto model = Onnx.mlp(256, 512, 256);
        Packaged packaged = pack(model);

        List<Blob> weights = packaged.graphs().weights();
        assertThat(weights).hasSize(2).allMatch(blob -> blob.size() == 256 * 512 * 4);
        ModelProto graph = graphOf(packaged);
        TensorProto w1 = graph.getGraph().getInitializer(0);
        assertThat(TensorProtos.external(w1, "location"))
                .contains(weights.getFirst().digest().hex());
        assertThat(w1.hasRawData()).isFalse();
        assertThat(store.objects.get(key(weights.getFirst())))
                .isEqualTo(model.getGraph().getInitializer(0).getRawData().toByteArray());
        assertThat(graph.getGraph().getInitializer(1))
                .isEqualTo(model.getGraph().getInitializer(1));
        assertThat(graph.getGraph().getNodeList()).isEqualTo(model.getGraph().getNodeList());
        assertThat(packaged.model()).isEqualTo(Sha256.of(model.toByteArray()));
    }

    @Test
    void readsTheSignature() {
        GraphManifest manifest = pack(Onnx.mlp(256, 512, 10)).graphs();

        assertThat(manifest.inputs())
                .containsExactly(new TensorSpec("x", DataType.FP32, List.of(-1L, 256L), List.of("batch", "")));
        assertThat(manifest.outputs())
                .containsExactly(new TensorSpec("y", DataType.FP32, List.of(-1L, 10L), List.of("batch", "")));
        assertThat(manifest.batchable()).isTrue();
        assertThat(manifest.model()).isEqualTo(new GraphManifest.ModelVersion(8, 17));
    }

    /** As skl2onnx writes it. */
    @Test
    void equalOpsetImportsAreOne() {
        ModelProto model = new Onnx()
                .domain("", 17)
                .domain("ai.onnx", 17)
                .input("x", ElementType.FLOAT, 1)
                .output("y", ElementType.FLOAT, 1)
                .node("Relu", List.of("x"), "y")
                .build();
        assertThat(pack(model).graphs().model().opset()).isEqualTo(17);
    }

    @Test
    void aFixedFirstDimensionIsNotBatchable() {
        assertThat(pack(Onnx.addSub()).graphs().batchable()).isFalse();
    }

    @Test
    void aBatchSizeUsedByAnotherDimensionIsNotBatchable() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", "n")
                .output("y", ElementType.FLOAT, "n", "n")
                .node("Relu", List.of("x"), "y")
                .build();
        assertThat(pack(model).graphs().batchable()).isFalse();
    }

    @Test
    void weightsThatAreAlsoInputsAreNotInTheSignature() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", 4)
                .input("w", ElementType.FLOAT, 4, 4)
                .output("y", ElementType.FLOAT, "n", 4)
                .weights("w", 4, 4)
                .node("MatMul", List.of("x", "w"), "y")
                .build();
        assertThat(pack(model).graphs().inputs()).extracting(TensorSpec::name).containsExactly("x");
    }

    @Test
    void theSameInputGivesTheSameDigestAndWritesNothingNew() {
        Packaged first = pack(Onnx.mlp(256, 512, 256));
        int writes = store.writes.size();

        assertThat(pack(Onnx.mlp(256, 512, 256))).isEqualTo(first);
        assertThat(store.writes).hasSize(writes);
    }

    @Test
    void versionsShareTheWeightsThatAreEqual() {
        ModelProto first = Onnx.mlp(256, 512, 256);
        ModelProto second = first.toBuilder()
                .setGraph(first.getGraph().toBuilder().setInitializer(2, Onnx.floats("w2", 99, 512, 256)))
                .build();
        Packaged one = pack(first);
        Packaged two = pack(second);

        assertThat(two.unit()).isNotEqualTo(one.unit());
        var blobs = new HashSet<>(one.graphs().weights());
        blobs.addAll(two.graphs().weights());
        assertThat(blobs).hasSize(3);
        assertThat(store.list("blobs/")).hasSize(3 + 2);
    }

    @Test
    void equalWeightsWithinOneModelAreOneBlob() {
        TensorProto w = Onnx.floats("w1", 5, 128, 128);
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", 128)
                .output("y", ElementType.FLOAT, "n", 128)
                .initializer(w)
                .initializer(w.toBuilder().setName("w2").build())
                .node("MatMul", List.of("x", "w1"), "h")
                .node("MatMul", List.of("h", "w2"), "y")
                .build();
        assertThat(pack(model).graphs().weights()).hasSize(1);
    }

    @Test
    void typedDataBecomesTheSameBlobAsRawData() {
        TensorProto raw = Onnx.floats("w", 5, 128, 128);
        var floats = raw.getRawData().asReadOnlyByteBuffer().order(java.nio.ByteOrder.LITTLE_ENDIAN);
        TensorProto.Builder typed = raw.toBuilder().clearRawData();
        while (floats.hasRemaining()) {
            typed.addFloatData(floats.getFloat());
        }
        assertThat(pack(matmul(typed.build())).graphs())
                .isEqualTo(pack(matmul(raw)).graphs());
    }

    @Test
    void externalDataGivesTheSameUnitAsDataInside() throws IOException {
        TensorProto raw = Onnx.floats("w", 5, 128, 128);
        Files.createDirectories(folder.resolve("data"));
        try (var file = new RandomAccessFile(folder.resolve("data/w.bin").toFile(), "rw")) {
            file.seek(4096);
            file.write(raw.getRawData().toByteArray());
        }
        TensorProto external = Onnx.external(raw, "data/w.bin", 4096, 128 * 128 * 4);

        assertThat(pack(matmul(external)).unit()).isEqualTo(pack(matmul(raw)).unit());
        assertThat(Packager.externalLocations(Onnx.save(matmul(external), folder.resolve("m"))))
                .contains(List.of("data/w.bin"));
    }

    @Test
    void blobsAreStoredBeforeTheGraphAndTheGraphBeforeTheManifest() {
        Packaged packaged = pack(Onnx.mlp(256, 512, 256));

        assertThat(store.writes)
                .containsExactly(
                        key(packaged.graphs().weights().get(0)),
                        key(packaged.graphs().weights().get(1)),
                        key(packaged.graphs().graph()),
                        new ObjectKey("units/" + packaged.unit().hex() + ".json"));
    }

    @Test
    void fieldsOfANewerOnnxSurvive() throws IOException {
        UnknownFieldSet novel = UnknownFieldSet.newBuilder()
                .addField(
                        999,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("novel"))
                                .build())
                .build();
        ModelProto model =
                Onnx.mlp(256, 512, 10).toBuilder().setUnknownFields(novel).build();

        assertThat(graphOf(pack(model)).getUnknownFields()).isEqualTo(novel);
    }

    @Test
    void aPackagedUnitMaterialisesWithItsWeightsBesideIt() throws IOException {
        Packaged packaged = pack(Onnx.mlp(256, 512, 256));
        Path unit = new UnitStore(store).materialise(packaged.unit(), folder.resolve("cache"));

        ModelProto graph = ModelProto.parseFrom(Files.readAllBytes(unit.resolve(UnitStore.GRAPH)));
        for (TensorProto tensor : graph.getGraph().getInitializerList()) {
            if (TensorProtos.isExternal(tensor)) {
                assertThat(unit.resolve(
                                TensorProtos.external(tensor, "location").orElseThrow()))
                        .hasSize(256 * 512 * 4);
            }
        }
    }

    @Test
    void weightsOfSubgraphsStayInline() throws IOException {
        TensorProto raw = Onnx.floats("w", 5, 128, 128);
        Files.write(folder.resolve("w.bin"), raw.getRawData().toByteArray());

        ModelProto inside = choosing(raw);
        assertThat(pack(inside).graphs().weights()).isEmpty();
        assertThat(graphOf(pack(inside))).isEqualTo(inside);
        assertThat(graphOf(pack(choosing(Onnx.external(raw, "w.bin", 0, 128 * 128 * 4)))))
                .isEqualTo(inside);
    }

    private static ModelProto choosing(TensorProto weight) {
        var branch = new Onnx()
                .output("b", ElementType.FLOAT, "n", 128)
                .initializer(weight)
                .node("MatMul", List.of("x", "w"), "b")
                .graph();
        return new Onnx()
                .input("x", ElementType.FLOAT, "n", 128)
                .input("c", ElementType.BOOL)
                .output("y", ElementType.FLOAT, "n", 128)
                .node(
                        "If",
                        List.of("c"),
                        "y",
                        Onnx.subgraph("then_branch", branch),
                        Onnx.subgraph("else_branch", branch))
                .build();
    }

    @Test
    void infersTheShapeOfAnOutput() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", 4)
                .output(shapeless("y"))
                .weights("w", 4, 9)
                .node("MatMul", List.of("x", "w"), "y")
                .build();
        assertThat(pack(model).graphs().outputs())
                .containsExactly(new TensorSpec("y", DataType.FP32, List.of(-1L, 9L), List.of("n", "")));
    }

    private static ValueInfoProto shapeless(String name) {
        ValueInfoProto.Builder value = Onnx.value(name, ElementType.FLOAT).toBuilder();
        value.getTypeBuilder().getTensorTypeBuilder().clearShape();
        return value.build();
    }

    /** Exponential work per nesting level or quadratic work per node would time out. */
    @Test
    void packagesDeepAndWideNestingQuickly() {
        GraphProto inner = new Onnx()
                .output("b0", ElementType.FLOAT, 4)
                .node("Relu", List.of("x"), "b0")
                .graph();
        for (int i = 1; i < 16; i++) {
            inner = new Onnx()
                    .output("b" + i, ElementType.FLOAT, 4)
                    .node(
                            "If",
                            List.of("c"),
                            "b" + i,
                            Onnx.subgraph("then_branch", inner),
                            Onnx.subgraph("else_branch", identity("e" + i)))
                    .graph();
        }
        Onnx model = new Onnx()
                .input("x", ElementType.FLOAT, 4)
                .input("c", ElementType.BOOL)
                .output("y", ElementType.FLOAT, 4)
                .node(
                        "If",
                        List.of("c"),
                        "y",
                        Onnx.subgraph("then_branch", inner),
                        Onnx.subgraph("else_branch", identity("e")));
        for (int i = 0; i < 9_990; i++) {
            model.node(
                    "If",
                    List.of("c"),
                    "z" + i,
                    Onnx.subgraph("then_branch", identity("t")),
                    Onnx.subgraph("else_branch", identity("f")));
            model.output(shapeless("z" + i));
        }
        Packaged packaged = pack(model.build());

        assertThat(packaged.analysis().flops()).isEqualTo(4L * 9_991);
        assertThat(packaged.graphs().outputs()).hasSize(9_991);
    }

    private static GraphProto identity(String output) {
        return new Onnx()
                .output(output, ElementType.FLOAT, 4)
                .node("Relu", List.of("x"), output)
                .graph();
    }

    private static ModelProto matmul(TensorProto weight) {
        return new Onnx()
                .input("x", ElementType.FLOAT, "n", 128)
                .output("y", ElementType.FLOAT, "n", 128)
                .initializer(weight)
                .node("MatMul", List.of("x", "w"), "y")
                .build();
    }

    private static ObjectKey key(Blob blob) {
        return new ObjectKey("blobs/" + blob.digest().hex());
    }
}
