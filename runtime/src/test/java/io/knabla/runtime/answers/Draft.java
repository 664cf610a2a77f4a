package io.knabla.runtime.answers;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** A graph that grows by random steps, each with the values that are there. */
final class Draft {
    static final List<ElementType> NUMBERS = List.of(
            ElementType.FLOAT,
            ElementType.FLOAT,
            ElementType.DOUBLE,
            ElementType.INT64,
            ElementType.INT32,
            ElementType.BOOL);

    /** A value; in its shape -1 stands for the number of rows. */
    record Var(String name, ElementType type, List<Integer> shape) {
        ValueInfoProto info() {
            Object[] dims =
                    shape.stream().map(size -> size < 0 ? (Object) "n" : size).toArray();
            return Onnx.value(name, type, dims);
        }

        int columns() {
            return shape.getLast();
        }

        /** Whether it is a table: rows by columns. */
        boolean isTable() {
            return shape.size() == 2 && shape.getFirst() < 0;
        }

        boolean is(ElementType... types) {
            return Arrays.asList(types).contains(type);
        }
    }

    final RandomGenerator random;

    /** Whether each row of an answer depends on the same row of the inputs alone. */
    final boolean byRows;

    final List<Var> inputs = new ArrayList<>();
    final List<Var> values = new ArrayList<>();
    final List<NodeProto> nodes = new ArrayList<>();
    final List<TensorProto> initializers = new ArrayList<>();

    /** Whether ONNX Runtime alone would refuse a body, or answer wrong values for it. */
    boolean oddBodies;

    /** Whether it takes at least one row. */
    boolean needsRows;

    private int names;

    Draft(RandomGenerator random, boolean byRows) {
        this.random = random;
        this.byRows = byRows;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T one(List<T> of) {
        return of.get(below(of.size()));
    }

    String name() {
        return "v" + names++;
    }

    /** One of the values that fit; null if none does. */
    Var find(Predicate<Var> fits) {
        List<Var> found = values.stream().filter(fits).toList();
        return found.isEmpty() ? null : one(found);
    }

    Var input(ElementType type, Integer... shape) {
        var input = new Var(name(), type, List.of(shape));
        inputs.add(input);
        values.add(input);
        return input;
    }

    Var constant(NdArray value) {
        String name = name();
        initializers.add(value.toProto(name));
        var constant = new Var(
                name, value.element(), Arrays.stream(value.dims()).boxed().toList());
        values.add(constant);
        return constant;
    }

    Var node(String op, List<Var> from, ElementType type, List<Integer> shape, AttributeProto... attributes) {
        var made = new Var(name(), type, shape);
        nodes.add(NodeProto.newBuilder()
                .setOpType(op)
                .addAllInput(from.stream().map(Var::name).toList())
                .addOutput(made.name())
                .addAllAttribute(List.of(attributes))
                .build());
        values.add(made);
        return made;
    }

    static ModelProto model(List<Var> inputs, List<NodeProto> nodes, List<TensorProto> constants, List<Var> outputs) {
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .addOpsetImport(
                        OperatorSetIdProto.newBuilder().setDomain("ai.onnx.ml").setVersion(3))
                .setGraph(GraphProto.newBuilder()
                        .setName("g")
                        .addAllInput(inputs.stream().map(Var::info).toList())
                        .addAllNode(nodes)
                        .addAllInitializer(constants)
                        .addAllOutput(outputs.stream().map(Var::info).toList()))
                .build();
    }
}
