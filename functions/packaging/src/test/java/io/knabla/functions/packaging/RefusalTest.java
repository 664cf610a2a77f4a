package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.Fault;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that invalid models are refused with a message and that nothing is stored. */
class RefusalTest {
    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private List<Fault> faults(ModelProto model) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        PackagingResult packaging = Packager.pack(ModelFiles.beside(file), store);
        assertThat(packaging).isInstanceOf(PackagingResult.Refused.class);
        assertThat(store.objects).isEmpty();
        return ((PackagingResult.Refused) packaging).faults();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void refuses(String path, ModelProto model, String says) {
        assertThat(faults(model)).anySatisfy(fault -> {
            assertThat(fault.path()).startsWith(path);
            assertThat(fault.message()).contains(says);
        });
    }

    private static Onnx identity() {
        return new Onnx()
                .input("x", ElementType.FLOAT, 1, 4)
                .output("y", ElementType.FLOAT, 1, 4)
                .node("Relu", List.of("x"), "y");
    }

    private static ModelProto graph(UnaryOperator<GraphProto.Builder> change) {
        ModelProto model = identity().build();
        return model.toBuilder()
                .setGraph(change.apply(model.getGraph().toBuilder()))
                .build();
    }

    private static NodeProto node(String op, String in, String out) {
        return NodeProto.newBuilder().setOpType(op).addInput(in).addOutput(out).build();
    }

    static Stream<Arguments> broken() {
        return Stream.concat(versionsAndStructure(), tensors());
    }

    private static Stream<Arguments> versionsAndStructure() {
        return Stream.of(
                Arguments.of("ir_version", identity().ir(14).build(), "loads 1 to 13"),
                Arguments.of("opset_import", identity().opset(27).build(), "knows 1 to 26"),
                Arguments.of(
                        "opset_import",
                        identity().domain("", 12).build(),
                        "names the domain 'ai.onnx' with the versions 12 and 17; keep the one"),
                Arguments.of(
                        "graph.node[1]",
                        graph(g -> g.addNode(node("Evil", "x", "z").toBuilder().setDomain("my.ops"))),
                        "custom domain 'my.ops'"),
                Arguments.of(
                        "graph.node[1]",
                        graph(g -> g.addNode(
                                node("BertTokenizer", "x", "z").toBuilder().setDomain("ai.onnx.contrib"))),
                        "prepare its inputs in the client"),
                Arguments.of(
                        "graph.node[1]",
                        graph(g -> g.addNode(node("Conv", "x", "z").toBuilder().setDomain("com.microsoft.nchwc"))),
                        "deploy the file that was optimised"),
                Arguments.of(
                        "graph.node[1]",
                        graph(g ->
                                g.addNode(node("Scaler", "x", "z").toBuilder().setDomain("ai.onnx.ml"))),
                        "which opset_import does not name"),
                Arguments.of("graph.node[1]", graph(g -> g.addNode(node("Relu", "nix", "z"))), "reads 'nix'"),
                Arguments.of(
                        "graph.node[1]",
                        graph(g -> g.addNode(node("Relu", "b", "a")).addNode(node("Relu", "a", "b"))),
                        "without cycles"),
                Arguments.of("graph.node[1]", graph(g -> g.addNode(node("Relu", "a", "a"))), "itself makes"),
                Arguments.of(
                        "graph.node[1]", graph(g -> g.addNode(node("Relu", "x", "y"))), "'y' is defined a second time"),
                Arguments.of(
                        "graph.node[1]",
                        graph(g -> g.addNode(node("Identity", "x", "x"))),
                        "'x' names an input and an output of one Identity; a name stands for one value in ONNX, so give the output another one, such as with output_names of torch.onnx.export"),
                Arguments.of("graph.node[1]", graph(g -> g.addNode(node("", "x", "z"))), "no op_type"),
                Arguments.of(
                        "graph.output",
                        graph(g -> g.addOutput(Onnx.value("nix", ElementType.FLOAT))),
                        "made by no node"),
                Arguments.of("graph.output", graph(GraphProto.Builder::clearOutput), "is empty"),
                Arguments.of("graph.output['s']", graph(g -> g.addOutput(sequence())), "is a sequence"),
                Arguments.of(
                        "graph.input['c']",
                        graph(g -> g.addInput(Onnx.value("c", ElementType.COMPLEX64, 1))),
                        "element type COMPLEX64"),
                Arguments.of("functions", recursive(), "calls itself"),
                Arguments.of("functions", explosive(), "more than 200000 nodes"));
    }

    private static Stream<Arguments> tensors() {
        TensorProto w = Onnx.floats("w", 1, 4, 4);
        return Stream.of(
                Arguments.of(
                        "graph.initializer['w']",
                        graph(g -> g.addInitializer(w.toBuilder().setDims(0, 5))),
                        "holds 64 bytes"),
                Arguments.of(
                        "graph.initializer['w']",
                        graph(g -> g.addInitializer(w.toBuilder().setDims(0, -5))),
                        "dimensions must be >= 0"),
                Arguments.of(
                        "graph.initializer['w']",
                        graph(g -> g.addInitializer(
                                w.toBuilder().setDims(0, 1L << 40).setDims(1, 1L << 40))),
                        "dimensions must be >= 0"),
                Arguments.of(
                        "graph.initializer['w']",
                        graph(g -> g.addInitializer(w.toBuilder().setDataType(77))),
                        "unknown element type 77"),
                Arguments.of(
                        "graph.initializer['w']",
                        graph(g -> g.addInitializer(w.toBuilder().clearRawData().addFloatData(1))),
                        "holds 1 numbers"),
                Arguments.of(
                        "graph.initializer", graph(g -> g.addInitializer(w).addInitializer(w)), "'w' is there twice"),
                Arguments.of(
                        "graph.initializer['w']",
                        graph(g -> g.addInitializer(Onnx.external(w, "nix.bin", 0, 64))),
                        "not beside the model"),
                Arguments.of(
                        "graph.node[1].value",
                        graph(g -> g.addNode(NodeProto.newBuilder()
                                .setOpType("Constant")
                                .addOutput("c")
                                .addAttribute(Onnx.tensor("value", Onnx.external(w, "/etc/passwd", 0, 64))))),
                        "must be a relative path"));
    }

    private static ValueInfoProto sequence() {
        return ValueInfoProto.newBuilder()
                .setName("s")
                .setType(TypeProto.newBuilder().setSequenceType(TypeProto.Sequence.getDefaultInstance()))
                .build();
    }

    private static FunctionProto function(String name, int calls, String callee) {
        FunctionProto.Builder function = FunctionProto.newBuilder()
                .setDomain("own")
                .setName(name)
                .addInput("v0")
                .addOutput("v" + calls)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1));
        for (int i = 0; i < calls; i++) {
            function.addNode(node(callee, "v" + i, "v" + (i + 1)).toBuilder().setDomain("own"));
        }
        return function.build();
    }

    private static ModelProto calling(String name, Iterable<FunctionProto> functions) {
        return identity()
                .domain("own", 1)
                .node(node(name, "x", "z").toBuilder().setDomain("own").build())
                .build()
                .toBuilder()
                .addAllFunctions(functions)
                .build();
    }

    private static ModelProto recursive() {
        return calling("f", List.of(function("f", 2, "g"), function("g", 1, "f")));
    }

    private static ModelProto explosive() {
        var functions = new java.util.ArrayList<FunctionProto>();
        for (int i = 0; i < 30; i++) {
            functions.add(function("f" + i, 10, "f" + (i + 1)));
        }
        functions.add(function("f30", 0, ""));
        return calling("f0", functions);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../w.bin", "/etc/passwd", "a/../../w.bin", "C:\\w.bin", "a//b", "link.bin", ""})
    void externalDataCannotLeaveTheFolder(String location) throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Path inside = Files.createDirectories(folder.resolve("inside"));
        Files.write(outside.resolve("w.bin"), new byte[64]);
        Files.createSymbolicLink(inside.resolve("link.bin"), outside.resolve("w.bin"));
        TensorProto w = Onnx.external(Onnx.floats("w", 1, 4, 4), location, 0, 64);
        Path file = Onnx.save(graph(g -> g.addInitializer(w)), inside.resolve("model.onnx"));

        PackagingResult packaging = Packager.pack(ModelFiles.beside(file), store);

        assertThat(((PackagingResult.Refused) packaging).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).containsAnyOf("beside the model"));
    }

    @ParameterizedTest(name = "offset {0}, length {1}")
    @CsvSource({"1, 64", "0, 60", "-1, 64", "0, -1", "9223372036854775807, 64", "x, 64"})
    void externalDataMustHoldTheTensor(String offset, String length) throws IOException {
        Files.write(folder.resolve("w.bin"), new byte[64]);
        TensorProto.Builder w = Onnx.external(Onnx.floats("w", 1, 4, 4), "w.bin", 0, 0).toBuilder();
        w.getExternalDataBuilder(1).setValue(offset);
        w.getExternalDataBuilder(2).setValue(length);

        assertThat(faults(graph(g -> g.addInitializer(w))))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("do not belong together"));
    }

    @Test
    void reportsAllFaultsAtOnce() {
        ModelProto model = identity()
                .ir(99)
                .opset(99)
                .node("Relu", List.of("nix"), "z")
                .initializer(Onnx.floats("w", 1, 4).toBuilder().setDims(0, 7).build())
                .build();
        assertThat(faults(model)).hasSize(4);
    }

    @Test
    void reportsTheFirstHundredFaults() {
        Onnx onnx = identity();
        for (int i = 0; i < 2000; i++) {
            onnx.node("Relu", List.of("nix"), "z" + i);
        }
        assertThat(faults(onnx.build())).hasSize(101).last().asString().contains("1900 more faults");
    }

    @Test
    void shortensAndCleansUntrustedNames() {
        String name = "\u001b[31m" + "x".repeat(10_000);
        assertThat(faults(graph(g -> g.addNode(node("Relu", name, "z")))))
                .singleElement()
                .satisfies(fault ->
                        assertThat(fault.message()).hasSizeLessThan(300).doesNotContain("\u001b"));
    }

    @Test
    void reportsAMissingModel() {
        PackagingResult packaging = Packager.pack(ModelFiles.beside(folder.resolve("nix.onnx")), store);

        assertThat(((PackagingResult.Refused) packaging).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("there is no file"));
    }

    @Test
    void acceptsFunctionsInsideTheModel() {
        FunctionProto twice = FunctionProto.newBuilder()
                .setDomain("own")
                .setName("twice")
                .addInput("a")
                .addOutput("b")
                .addNode(NodeProto.newBuilder()
                        .setOpType("Add")
                        .addInput("a")
                        .addInput("a")
                        .addOutput("b"))
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(17))
                .build();
        Path file = Onnx.save(calling("twice", List.of(twice)), folder.resolve("model.onnx"));

        assertThat(Packager.pack(ModelFiles.beside(file), store)).isInstanceOf(PackagingResult.Packaged.class);
    }

    @Test
    void aSignatureNameMustBeText() {
        ModelProto model = graph(g -> g.addInput(Onnx.value("q", ElementType.FLOAT, 1).toBuilder()
                .setNameBytes(ByteString.copyFrom(new byte[] {-1, -2}))));
        assertThat(faults(model)).anySatisfy(f -> assertThat(f.message()).contains("not UTF-8"));
    }
}
