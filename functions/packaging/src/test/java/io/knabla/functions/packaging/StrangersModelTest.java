package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.unit.ClassNames;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that models as public exporters write them become units whose outputs are tensors. */
class StrangersModelTest {
    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private Packaged pack(ModelProto model) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        PackagingResult result = Packager.pack(ModelFiles.beside(file), store);
        assertThat(result).isInstanceOf(Packaged.class);
        return (Packaged) result;
    }

    private static ModelProto withoutShapes() {
        TypeProto floats = TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(ElementType.FLOAT.number()))
                .build();
        ModelProto model = new Onnx().node("Relu", List.of("x"), "y").build();
        GraphProto graph = model.getGraph().toBuilder()
                .addInput(ValueInfoProto.newBuilder().setName("x").setType(floats))
                .addOutput(ValueInfoProto.newBuilder().setName("y").setType(floats))
                .build();
        return model.toBuilder().setGraph(graph).build();
    }

    private PackagingResult shaped(ModelProto model, Map<String, List<Integer>> shapes) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        return Packager.pack(ModelFiles.beside(file).with(shapes), store);
    }

    @Test
    void aTensorWithoutShapeTakesThatOfTheFile() {
        assertThat(shaped(withoutShapes(), Map.of()))
                .asString()
                .contains("graph.input['x']", "write it in function.yaml: spec.shapes: {x: [-1, 4]}");

        var packaged = (Packaged) shaped(withoutShapes(), Map.of("x", List.of(-1, 4)));
        assertThat(packaged.graphs().inputs().getFirst().shape()).containsExactly(-1L, 4L);
        assertThat(packaged.graphs().outputs().getFirst().shape()).containsExactly(-1L, 4L);
    }

    @Test
    void shapesMustFitTheModel() {
        assertThat(shaped(Onnx.mlp(4, 4, 4), Map.of("x", List.of(1, 5), "y", List.of(-1), "z", List.of())))
                .asString()
                .contains("spec.shapes['x']", "found 5 for dimension 1, which is 4 in the model")
                .contains("spec.shapes['y']", "found 1 sizes, but it has 2 dimensions in the model")
                .contains("spec.shapes['z']", "no input or output of this name");
    }

    @Test
    void shapesOfTheFileMayVaryMoreThanTheModelSays() throws IOException {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 1, 3, "size", "size")
                .output("y", ElementType.FLOAT, 1, 3, "size", "size")
                .node("Relu", List.of("x"), "inner")
                .node("Neg", List.of("inner"), "y")
                .build();
        ModelProto.Builder annotated = model.toBuilder();
        annotated.getGraphBuilder().addValueInfo(Onnx.value("inner", ElementType.FLOAT, 1, 3, "size", "size"));

        var packaged = (Packaged) shaped(annotated.build(), Map.of("x", List.of(-1, 3, -1, 64)));

        assertThat(packaged.graphs().inputs())
                .containsExactly(new TensorSpec("x", DataType.FP32, List.of(-1L, 3L, -1L, 64L), NO_NAMES));
        assertThat(packaged.graphs().outputs().getFirst().symbols()).containsExactly("", "", "size", "size");
        assertThat(graphOf(packaged).getValueInfoList())
                .noneMatch(inner -> inner.getType().getTensorType().hasShape());
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "2", "-1", "None", "unknown"})
    void aPlaceholderIsNoNameOfASize(String placeholder) throws IOException {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", placeholder, placeholder, "n")
                .output("y", ElementType.FLOAT, "n", placeholder, placeholder, "n")
                .node("Relu", List.of("x"), "y")
                .build();

        var packaged = (Packaged) shaped(model, Map.of());

        assertThat(packaged.graphs().inputs().getFirst().symbols()).containsExactly("n", "", "", "n");
        assertThat(packaged.graphs().outputs().getFirst().symbols()).containsExactly("n", "", "", "n");
        assertThat(graphOf(packaged).toString()).doesNotContain("\"" + placeholder + "\"");
    }

    @Test
    void aPlaceholderInABodyIsRemovedToo() throws IOException {
        var body = new Onnx()
                .output("a", ElementType.FLOAT, "?", "?")
                .node("Neg", List.of("x"), "a")
                .graph();
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", "m")
                .input("flag", ElementType.BOOL)
                .output("y", ElementType.FLOAT, "n", "m")
                .node(
                        "If",
                        List.of("flag"),
                        "y",
                        Onnx.subgraph("then_branch", body),
                        Onnx.subgraph("else_branch", body))
                .build();

        assertThat(graphOf((Packaged) shaped(model, Map.of())).toString())
                .contains("\"n\"")
                .doesNotContain("\"?\"");
    }

    private static final List<String> NO_NAMES = List.of("", "", "", "");

    private GraphProto graphOf(Packaged packaged) throws IOException {
        return ModelProto.parseFrom(store.objects.get(new ObjectKey(
                        "blobs/" + packaged.graphs().graph().digest().hex())))
                .getGraph();
    }

    /** As skl2onnx and onnxmltools write a classifier with their default options. */
    private static ModelProto classifier(AttributeProto labels) {
        NodeProto.Builder zipMap = NodeProto.newBuilder()
                .setOpType("ZipMap")
                .setDomain("ai.onnx.ml")
                .addInput("scores")
                .addOutput("output_probability")
                .addAttribute(labels);
        return new Onnx()
                .domain("ai.onnx.ml", 1)
                .input("X", ElementType.FLOAT, null, 2)
                .output("output_label", ElementType.INT64, (Object) null)
                .output(sequence("output_probability", TypeProto.getDefaultInstance()))
                .node("Softmax", List.of("X"), "scores")
                .node(zipMap.build())
                .node("ArgMax", List.of("scores"), "output_label", Onnx.integer("axis", 1), Onnx.integer("keepdims", 0))
                .build();
    }

    private static ValueInfoProto sequence(String name, TypeProto element) {
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setSequenceType(TypeProto.Sequence.newBuilder().setElemType(element)))
                .build();
    }

    private static AttributeProto texts(String... names) {
        AttributeProto.Builder texts = AttributeProto.newBuilder()
                .setName("classlabels_strings")
                .setType(AttributeProto.AttributeType.STRINGS);
        for (String name : names) {
            texts.addStrings(ByteString.copyFromUtf8(name));
        }
        return texts.build();
    }

    @Test
    void zipMapIsUnwrappedToTheScoresThatItReads() throws IOException {
        Packaged packaged = pack(classifier(Onnx.ints("classlabels_int64s", 3, 7)));

        GraphManifest manifest = packaged.graphs();
        assertThat(manifest.outputs())
                .containsExactly(
                        new TensorSpec("output_label", DataType.INT64, List.of(-1L), List.of("")),
                        new TensorSpec("output_probability", DataType.FP32, List.of(-1L, 2L), List.of("", "")));
        assertThat(manifest.classes())
                .containsExactly(new ClassNames("output_probability", DataType.INT64, List.of("3", "7")));
        assertThat(manifest.batchable()).isTrue();
        assertThat(graphOf(packaged).getNode(1).getOpType()).isEqualTo("Identity");
        assertThat(graphOf(packaged).getNodeList())
                .noneMatch(node -> node.getOpType().equals("ZipMap"));
    }

    @Test
    void namesOfClassesMayBeTexts() {
        assertThat(pack(classifier(texts("setosa", "virginica"))).graphs().classes())
                .containsExactly(new ClassNames("output_probability", DataType.BYTES, List.of("setosa", "virginica")));
    }

    @Test
    void aSequenceOfAFixedLengthBecomesNumberedOutputs() {
        TypeProto element = Onnx.value("", ElementType.FLOAT, "n", 2).getType();
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", 2)
                .output(sequence("states", element))
                .node("Relu", List.of("x"), "a")
                .node("Neg", List.of("x"), "b")
                .node("SequenceConstruct", List.of("a", "b"), "states")
                .build();

        assertThat(pack(model).graphs().outputs())
                .extracting(TensorSpec::name, TensorSpec::shape)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("states_0", List.of(-1L, 2L)),
                        org.assertj.core.groups.Tuple.tuple("states_1", List.of(-1L, 2L)));
    }

    /** As skl2onnx writes a MultiOutputClassifier: the sequence says nothing of its elements' shapes. */
    @Test
    void scoresOfSeveralTargetsHaveTheShapeThatTheirClassifiersGive() {
        TypeProto element = TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(ElementType.FLOAT.number()))
                .build();
        ModelProto model = new Onnx()
                .domain("ai.onnx.ml", 3)
                .input("x", ElementType.FLOAT, null, 4)
                .output(sequence("scores", element))
                .node(linear("a", Onnx.ints("classlabels_ints", 0, 1)))
                .node(linear("b", Onnx.ints("classlabels_ints", 3, 5, 8)))
                .node("SequenceConstruct", List.of("a", "b"), "scores")
                .build();

        assertThat(pack(model).graphs().outputs())
                .extracting(TensorSpec::shape)
                .containsExactly(List.of(-1L, 2L), List.of(-1L, 3L));
    }

    private static NodeProto linear(String scores, AttributeProto labels) {
        return NodeProto.newBuilder()
                .setOpType("LinearClassifier")
                .setDomain("ai.onnx.ml")
                .addInput("x")
                .addOutput(scores + "_label")
                .addOutput(scores)
                .addAttribute(labels)
                .build();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"en_US.UTF-8, C.UTF-8", "en_US, C.UTF-8", "'', C.UTF-8", "tr_TR.UTF-8, tr_TR.UTF-8"})
    void textOperatorsUseALocaleThatEveryHostHas(String locale, String becomes) throws IOException {
        ModelProto model = new Onnx()
                .input("x", ElementType.STRING, "n")
                .output("y", ElementType.STRING, (Object) null)
                .node("StringNormalizer", List.of("x"), "y", Onnx.text("locale", locale))
                .build();

        assertThat(graphOf(pack(model)).getNode(0).getAttributeList()).containsExactly(Onnx.text("locale", becomes));
    }
}
