package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Call of one operator: its attributes, inputs and budget.
 *
 * @param inputs null for an omitted input
 */
record Call(String op, Map<String, AttributeProto> attributes, List<NdArray> inputs, Budget budget) {

    boolean has(int input) {
        return input < inputs.size() && inputs.get(input) != null;
    }

    NdArray input(int input) {
        if (!has(input)) {
            throw new EvaluationException("input %d is missing".formatted(input));
        }
        return inputs.get(input);
    }

    Optional<NdArray> maybe(int input) {
        return has(input) ? Optional.of(inputs.get(input)) : Optional.empty();
    }

    /** A scalar input, or {@code otherwise} if it is omitted. */
    double real(int input, double otherwise) {
        return has(input) ? first(input).real(0) : otherwise;
    }

    long whole(int input, long otherwise) {
        return has(input) ? first(input).whole(0) : otherwise;
    }

    private NdArray first(int input) {
        if (input(input).size() == 0) {
            throw new EvaluationException("input %d is empty".formatted(input));
        }
        return input(input);
    }

    long integer(String attribute, long otherwise) {
        AttributeProto found = attributes.get(attribute);
        return found == null ? otherwise : found.getI();
    }

    double real(String attribute, double otherwise) {
        AttributeProto found = attributes.get(attribute);
        return found == null ? otherwise : found.getF();
    }

    String text(String attribute, String otherwise) {
        AttributeProto found = attributes.get(attribute);
        return found == null ? otherwise : found.getS().toStringUtf8();
    }

    Optional<long[]> integers(String attribute) {
        AttributeProto found = attributes.get(attribute);
        return found == null
                ? Optional.empty()
                : Optional.of(
                        found.getIntsList().stream().mapToLong(value -> value).toArray());
    }

    List<Float> reals(String attribute) {
        AttributeProto found = attributes.get(attribute);
        return found == null ? List.of() : found.getFloatsList();
    }

    Optional<NdArray> tensor(String attribute) {
        AttributeProto found = attributes.get(attribute);
        return found == null || !found.hasT() ? Optional.empty() : Optional.of(NdArray.of(found.getT()));
    }

    /** Axes of an optional input, counted from the front; all axes if it has none. */
    int[] axes(int input, int rank) {
        if (!has(input)) {
            return IntStream.range(0, rank).toArray();
        }
        return Arrays.stream(input(input).whole())
                .mapToInt(a -> Dims.axis(a, rank))
                .toArray();
    }

    int axis(long otherwise, int rank) {
        return Dims.axis(integer("axis", otherwise), rank);
    }

    void spend(long... factors) {
        budget.spend(factors);
    }

    int[] checkedDims(int... dims) {
        return budget.checkedDims(dims);
    }

    NdArray reals(ElementType element, int[] dims, IntToDoubleFunction value) {
        double[] values = new double[Dims.size(checkedDims(dims))];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.applyAsDouble(i);
        }
        return NdArray.reals(element, dims, values);
    }

    NdArray whole(ElementType element, int[] dims, IntToLongFunction value) {
        long[] values = new long[Dims.size(checkedDims(dims))];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.applyAsLong(i);
        }
        return NdArray.whole(element, dims, values);
    }

    NdArray pick(NdArray from, int[] dims, IntUnaryOperator source) {
        return from.pick(checkedDims(dims), source);
    }
}
