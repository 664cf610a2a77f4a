package io.knabla.functions.compiler.optimize.merge;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A product of an input with a constant matrix.
 *
 * @param weight the constant
 * @param transpose the operation that transposes the constant before the product, if any
 * @param columnAxis axis of the constant that gives the columns of the product
 * @param bias of a Gemm, a vector
 */
record Projection(Op op, Value weight, Optional<Op> transpose, int columnAxis, Optional<Value> bias) {
    /** Properties that products must share to be merged. */
    record Kind(Value input, String type, Attributes attributes, boolean turned, boolean biased, long inner) {}

    static Optional<Projection> of(Op op) {
        if (!op.is("MatMul") && !op.is("Gemm") || !op.output().isFloat()) {
            return Optional.empty();
        }
        Value second = op.input(1);
        Optional<Op> turn = second.producer("Transpose");
        Value weight = turn.map(t -> t.input(0)).orElse(second);
        boolean matrix = weight.constant().isPresent() && sizes(weight).size() == 2;
        Optional<Value> bias = Optional.ofNullable(op.input(2));
        if (!matrix || !fits(op)) {
            return Optional.empty();
        }
        boolean wideFirst = turn.isPresent() ^ op.attributes().integer("transB", 0) == 1;
        int wide = wideFirst ? 0 : 1;
        boolean vector = bias.isEmpty()
                || bias.get().constant().isPresent()
                        && sizes(bias.get()).equals(List.of(sizes(weight).get(wide)));
        return vector ? Optional.of(new Projection(op, weight, turn, wide, bias)) : Optional.empty();
    }

    private static boolean fits(Op op) {
        int rank = op.input(0).shape().map(Shape::rank).orElse(0);
        return op.is("Gemm") ? rank == 2 : rank > 0;
    }

    private static List<Long> sizes(Value value) {
        return value.sizes().orElse(List.of());
    }

    Kind kind() {
        return new Kind(op.input(0), op.type(), op.attributes(), transpose.isPresent(), bias.isPresent(), inner());
    }

    long inner() {
        return sizes(weight).get(1 - columnAxis);
    }

    long width() {
        return sizes(weight).get(columnAxis);
    }

    /** Rows of the input, if known. */
    OptionalLong rows() {
        Shape shape = op.input(0).knownShape();
        boolean turned = op.attributes().integer("transA", 0) == 1;
        Dim rows = (turned ? shape.slice(1, 2) : shape.slice(0, shape.rank() - 1)).elements();
        return rows instanceof Dim.Known(var size) ? OptionalLong.of(size) : OptionalLong.empty();
    }

    /** The constants, and values between them and the product: none of them may have another use. */
    List<Value> exclusiveValues() {
        var own = new ArrayList<Value>();
        own.add(weight);
        transpose.ifPresent(t -> own.add(t.output()));
        bias.ifPresent(own::add);
        return own;
    }

    String label() {
        if (!weight.name().isEmpty()) {
            return weight.name();
        }
        return op.output().name().isEmpty() ? op.toString() : op.output().name();
    }
}
