package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Fuzzes the packager: every input is either packaged completely or refused without traces in the store. */
class PackagerFuzzTest {
    private static final byte[] MODEL = sample().toByteArray();

    private static Path file;

    @BeforeContainer
    static void open() throws IOException {
        file = Files.createTempFile("fuzz", ".onnx");
    }

    @AfterContainer
    static void close() throws IOException {
        Files.delete(file);
    }

    private static ModelProto sample() {
        return new Onnx()
                .input("x", ElementType.FLOAT, "n", 3, 8, 8)
                .output("y", ElementType.FLOAT, "n", 4)
                .weights("w", 4, 3, 3, 3)
                .constant("shape", 0, -1)
                .constant("axes", -1)
                .node("Conv", List.of("x", "w"), "c", Onnx.ints("pads", 1, 1, 1, 1))
                .node("MaxPool", List.of("c"), "p", Onnx.ints("kernel_shape", 2, 2))
                .node("Reshape", List.of("p", "shape"), "f")
                .node("Shape", List.of("f"), "s")
                .node("Gather", List.of("s", "axes"), "g")
                .node("Slice", List.of("f", "axes", "g"), "sl")
                .node("Softmax", List.of("f"), "sm")
                .node("Einsum", List.of("f", "sm"), "e", Onnx.text("equation", "ij,ij->i"))
                .node("Split", List.of("f"), List.of("y", "z"), Onnx.integer("axis", 1))
                .build();
    }

    private static void packOrRefuse(byte[] bytes) throws IOException {
        Files.write(file, bytes);
        var store = new MemoryStore();
        switch (Packager.pack(ModelFiles.beside(file), store)) {
            case PackagingResult.Packaged packaged ->
                assertThat(store.objects)
                        .hasSize(2 + packaged.graphs().weights().size());
            case PackagingResult.Refused(var faults) -> {
                assertThat(faults).isNotEmpty();
                assertThat(store.objects).isEmpty();
            }
        }
    }

    @Property(tries = 500)
    void changedBytes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int changes) throws IOException {
        var random = new Random(seed);
        byte[] changed = MODEL.clone();
        for (int i = 0; i < changes; i++) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        packOrRefuse(changed);
    }

    /** Well-formed but invalid models: wrong operators, inputs and attributes of any size. */
    @Property(tries = 500)
    void changedMeaning(@ForAll long seed) throws IOException {
        var random = new Random(seed);
        ModelProto.Builder model = sample().toBuilder();
        var graph = model.getGraphBuilder();
        for (int i = 0; i < 3; i++) {
            int at = random.nextInt(graph.getNodeCount());
            NodeProto.Builder node = graph.getNodeBuilder(at);
            NodeProto other = graph.getNode(random.nextInt(graph.getNodeCount()));
            switch (random.nextInt(5)) {
                case 0 -> node.setOpType(other.getOpType());
                case 1 -> node.clearInput().addAllInput(other.getInputList());
                case 2 -> node.addAllAttribute(other.getAttributeList());
                case 3 -> node.addAttribute(nonsense(random));
                default ->
                    graph.getInputBuilder(0)
                            .getTypeBuilder()
                            .getTensorTypeBuilder()
                            .getShapeBuilder()
                            .addDimBuilder()
                            .setDimValue(random.nextLong());
            }
        }
        packOrRefuse(model.build().toByteArray());
    }

    private static AttributeProto nonsense(Random random) {
        List<String> names = List.of("axis", "pads", "strides", "kernel_shape", "dilations", "perm", "group", "axes");
        String name = names.get(random.nextInt(names.size()));
        long huge = random.nextBoolean() ? random.nextLong() : random.nextInt(5) - 2;
        return random.nextBoolean() ? Onnx.integer(name, huge) : Onnx.ints(name, huge, random.nextInt(3), 0, huge);
    }
}
