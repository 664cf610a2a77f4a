package io.knabla.functions.graph.ssa;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.List;
import java.util.Optional;

/** One tensor, assigned once. Made by {@link Builder} only; equal only to itself. */
public final class Value {
    /** Where a value comes from. */
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

    /** Grows with creation, so that ids order values topologically. */
    public int id() {
        return id;
    }

    /** The name that the file gave it, "" where there is none. */
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

    /** The rank, or a {@link Refusal} where it is unknown. */
    public int rank() {
        return knownShape().rank();
    }

    public Shape knownShape() {
        return type.shape().orElseThrow(() -> new Refusal("the rank of " + this + " is not known"));
    }

    /** The dimension at an axis, negative ones counted from the end. */
    public Dim dim(int axis) {
        return knownShape().dim(axis);
    }

    /** All sizes, where every one is a number. */
    public Optional<List<Long>> sizes() {
        return shape().filter(s -> s.dims().stream().allMatch(Dim::known))
                .map(s -> s.dims().stream().map(d -> d.or(0)).toList());
    }

    /** What a small integer tensor holds, as far as it was followed. */
    public Optional<List<Dim>> integers() {
        return integers;
    }

    /** The same where all are plain numbers. */
    public Optional<List<Long>> numbers() {
        return integers.filter(all -> all.stream().allMatch(Dim::known))
                .map(all -> all.stream().map(d -> d.or(0)).toList());
    }

    public Optional<TensorProto> constant() {
        return source instanceof Source.Constant(var tensor) ? Optional.of(tensor) : Optional.empty();
    }

    /** The number in a constant of one element. */
    public Optional<Double> number() {
        return constant().flatMap(Constants::number);
    }

    public Optional<Op> producer() {
        return source instanceof Source.Result(var op, var _) ? Optional.of(op) : Optional.empty();
    }

    /** The operation that made it, if it is of this type. */
    public Optional<Op> producer(String opType) {
        return producer().filter(op -> op.is(opType));
    }

    /** Its place among its operation's outputs, 0 for others. */
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
