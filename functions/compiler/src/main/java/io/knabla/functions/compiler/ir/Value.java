package io.knabla.functions.compiler.ir;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;
import java.util.Optional;

/** SSA value: one tensor, assigned once. Only {@link Builder} creates it; equal only to itself. */
public final class Value {
    /** Origin of a value. */
    public sealed interface Source {
        /** An input of the main graph, or a parameter of a body. */
        record Input() implements Source {}

        /** An initializer of the file, or a constant. */
        record Constant(TensorProto tensor) implements Source {}

        record Result(Op op, int index) implements Source {}
    }

    private final int id;
    private final String name;
    private final Scope scope;
    private final Source source;
    private final TensorType type;
    private final Optional<List<Dim>> integers;

    Value(int id, String name, Scope scope, Source source, TensorType type, Optional<List<Dim>> integers) {
        this.id = id;
        this.name = name;
        this.scope = scope;
        this.source = source;
        this.type = type;
        this.integers = integers;
    }

    /** Increases with creation; ascending ids are therefore a topological order. */
    public int id() {
        return id;
    }

    /** Its name in the file, "" if there is none. */
    public String name() {
        return name;
    }

    public Scope scope() {
        return scope;
    }

    public Source source() {
        return source;
    }

    public TensorType type() {
        return type;
    }

    public ElementType element() {
        return type.element();
    }

    public boolean isFloat() {
        return type.element().isFloat();
    }

    public Optional<Shape> shape() {
        return type.shape();
    }

    /** The rank; throws {@link UnsupportedOperatorException} if it is unknown. */
    public int rank() {
        return knownShape().rank();
    }

    public Shape knownShape() {
        return type.shape()
                .orElseThrow(() -> new UnsupportedOperatorException("the rank of " + this + " is not known"));
    }

    /** The dimension at an axis; a negative axis counts from the end. */
    public Dim dim(int axis) {
        return knownShape().dim(axis);
    }

    /** All sizes, if every size is a number. */
    public Optional<List<Long>> sizes() {
        return shape().filter(s -> s.dims().stream().allMatch(Dim::known))
                .map(s -> s.dims().stream().map(d -> d.or(0)).toList());
    }

    /** Contents of a small integer tensor, if shape inference tracked them. */
    public Optional<List<Dim>> integers() {
        return integers;
    }

    /** Likewise, if all are plain numbers. */
    public Optional<List<Long>> knownIntegers() {
        return integers.filter(all -> all.stream().allMatch(Dim::known))
                .map(all -> all.stream().map(d -> d.or(0)).toList());
    }

    public Optional<TensorProto> constant() {
        return source instanceof Source.Constant(var tensor) ? Optional.of(tensor) : Optional.empty();
    }

    /** Value of a constant of one element. */
    public Optional<Double> scalarConstant() {
        return constant().flatMap(Constants::number);
    }

    public Optional<Op> producer() {
        return source instanceof Source.Result(var op, var _) ? Optional.of(op) : Optional.empty();
    }

    /** The operation that produced it, if it has this type. */
    public Optional<Op> producer(String opType) {
        return producer().filter(op -> op.is(opType));
    }

    /** Its position among the outputs of its operation, 0 for inputs and constants. */
    public int index() {
        return source instanceof Source.Result(var _, var index) ? index : 0;
    }

    @Override
    public String toString() {
        String shown = name.isEmpty() ? producer().map(Op::toString).orElse("value " + id) : name;
        return "'"
                + shown
                + "' "
                + type.element()
                + type.shape().map(Shape::toString).orElse("[…]");
    }
}
