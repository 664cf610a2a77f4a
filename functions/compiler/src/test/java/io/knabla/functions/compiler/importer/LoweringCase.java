package io.knabla.functions.compiler.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Test case for the lowering of one operator: runs the original and the lowered model in the engine on random inputs
 * and compares them.
 */
final class LoweringCase {
    private final String op;
    private final long opset;
    private final Random random = new Random(7);
    private final List<AttributeProto> attributes = new ArrayList<>();
    private final List<NdArray> inputs = new ArrayList<>();
    private final List<Boolean> constant = new ArrayList<>();
    private String domain = "";
    private int outputs = 1;

    private LoweringCase(String op, long opset) {
        this.op = op;
        this.opset = opset;
    }

    /** @param op with its domain as a prefix unless that is ONNX's own */
    static LoweringCase of(String op, long opset) {
        int dot = op.lastIndexOf('.');
        var use = new LoweringCase(op.substring(dot + 1), opset);
        use.domain = dot < 0 ? "" : op.substring(0, dot);
        return use;
    }

    LoweringCase x(int... dims) {
        return input(floats(dims), false);
    }

    LoweringCase weight(int... dims) {
        return input(floats(dims), true);
    }

    /** Adds an input above 0, as variances and scales are. */
    LoweringCase positive(int... dims) {
        double[] values = floats(dims).reals();
        for (int i = 0; i < values.length; i++) {
            values[i] = 0.5 + Math.abs(values[i]);
        }
        return input(NdArray.floats(dims, values), true);
    }

    private NdArray floats(int... dims) {
        int size = 1;
        for (int dim : dims) {
            size *= dim;
        }
        return NdArray.floats(dims, random.doubles(size, -2, 2).toArray());
    }

    LoweringCase longs(long... values) {
        return input(NdArray.longs(values), true);
    }

    /** Adds an input of ascending positions. */
    LoweringCase positions(int rows, int columns) {
        long[] values = new long[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        return input(NdArray.longs(values).withDims(rows, columns), false);
    }

    LoweringCase input(NdArray array, boolean known) {
        inputs.add(array);
        constant.add(known);
        return this;
    }

    LoweringCase none() {
        return input(null, true);
    }

    LoweringCase with(String name, long value) {
        attributes.add(Onnx.integer(name, value));
        return this;
    }

    LoweringCase ints(String name, long... values) {
        attributes.add(Onnx.ints(name, values));
        return this;
    }

    LoweringCase with(String name, String value) {
        attributes.add(Onnx.text(name, value));
        return this;
    }

    LoweringCase with(String name, double value) {
        attributes.add(AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.FLOAT)
                .setF((float) value)
                .build());
        return this;
    }

    LoweringCase reals(String name, float... values) {
        var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.FLOATS);
        for (float value : values) {
            attribute.addFloats(value);
        }
        attributes.add(attribute.build());
        return this;
    }

    LoweringCase outputs(int count) {
        outputs = count;
        return this;
    }

    ModelProto model() {
        NodeProto.Builder node = NodeProto.newBuilder()
                .setName("it")
                .setOpType(op)
                .setDomain(domain)
                .addAllAttribute(attributes);
        GraphProto.Builder graph = GraphProto.newBuilder().setName("g");
        for (int i = 0; i < inputs.size(); i++) {
            NdArray input = inputs.get(i);
            node.addInput(input == null ? "" : "x" + i);
            if (input == null) {
                continue;
            }
            if (constant.get(i)) {
                graph.addInitializer(input.toProto("x" + i));
            } else {
                Object[] dims = java.util.Arrays.stream(input.dims()).boxed().toArray();
                graph.addInput(Onnx.value("x" + i, input.element(), dims));
            }
        }
        for (int i = 0; i < outputs; i++) {
            node.addOutput("y" + i);
            graph.addOutput(ValueInfoProto.newBuilder().setName("y" + i));
        }
        var model = ModelProto.newBuilder()
                .setIrVersion(opset < 9 ? 3 : 9)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset));
        if (!domain.isEmpty()) {
            model.addOpsetImport(
                    OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(1));
        }
        if (opset < 9) {
            // In old IR versions every initializer was also an input.
            graph.getInitializerList().forEach(t -> {
                Object[] dims = t.getDimsList().toArray();
                ElementType type = ElementType.of(t.getDataType());
                graph.addInput(Onnx.value(t.getName(), type, dims));
            });
        }
        return model.setGraph(graph.addNode(node)).build();
    }

    Dag lowered() {
        ImportResult imported = Importer.read(Model.of(model()));
        assertThat(imported).as("%s", imported).isInstanceOf(ImportResult.Success.class);
        return ((ImportResult.Success) imported).dag();
    }

    /** The types of all operations that the lowered model runs. */
    List<String> operations() {
        return lowered().ops().stream()
                .map(o -> o.domain().isEmpty() ? o.type() : o.domain() + "." + o.type())
                .toList();
    }

    void check() throws OrtException {
        Map<String, NdArray> feeds = new LinkedHashMap<>();
        for (int i = 0; i < inputs.size(); i++) {
            feeds.put("x" + i, inputs.get(i));
        }
        Map<String, NdArray> expected = OnnxRuntime.run(model(), feeds);
        Map<String, NdArray> found = OnnxRuntime.run(Exporter.write(lowered()), feeds);
        expected.forEach((name, array) -> close(op + "-" + opset + " " + attributes, found.get(name), array));
    }

    private static void close(String use, NdArray found, NdArray expected) {
        assertThat(found.type()).as(use).isEqualTo(expected.type());
        for (int i = 0; i < expected.size(); i++) {
            double e = expected.real(i);
            assertThat(found.real(i)).as(use).isCloseTo(e, within(2e-5 * Math.max(1, Math.abs(e))));
        }
    }
}
