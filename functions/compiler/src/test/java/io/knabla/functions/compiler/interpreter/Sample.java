package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;

/** Builder of one random sample: inputs, attributes and tolerance of an operator. */
final class Sample {
    final Random random;
    final List<AttributeProto> attributes = new ArrayList<>();
    final List<NdArray> inputs = new ArrayList<>();
    int outputs = 1;

    /** Relative to the largest element; 0 if the engine must agree to the last bit. */
    double tolerance = 2e-6;

    long opset = 20;
    boolean widened;

    Sample(Random random) {
        this.random = random;
    }

    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    @SafeVarargs
    final <T> T one(T... of) {
        return of[random.nextInt(of.length)];
    }

    int[] dims(int low, int high) {
        return random.ints(between(low, high), 1, 5).toArray();
    }

    Sample normal(int... dims) {
        return filled(ElementType.FLOAT, dims, random::nextGaussian);
    }

    Sample uniform(double low, double high, int... dims) {
        return filled(ElementType.FLOAT, dims, () -> random.nextDouble(low, high));
    }

    Sample filled(ElementType element, int[] dims, DoubleSupplier value) {
        double[] values = new double[Dims.size(dims)];
        Arrays.setAll(values, i -> value.getAsDouble());
        return input(
                element.isFloat()
                        ? NdArray.reals(element, dims, values)
                        : NdArray.whole(
                                element,
                                dims,
                                Arrays.stream(values).mapToLong(v -> (long) v).toArray()));
    }

    Sample integers(ElementType element, int low, int high, int... dims) {
        return filled(element, dims, () -> between(low, high));
    }

    Sample booleans(int... dims) {
        return integers(ElementType.BOOL, 0, 1, dims);
    }

    Sample longs(long... values) {
        return input(NdArray.longs(values));
    }

    Sample scalar(ElementType element, double value) {
        return input(NdArray.scalar(element, value));
    }

    Sample none() {
        return input(null);
    }

    Sample input(NdArray array) {
        inputs.add(array);
        return this;
    }

    Sample with(String attribute, long value) {
        attributes.add(Onnx.integer(attribute, value));
        return this;
    }

    Sample with(String attribute, double value) {
        attributes.add(AttributeProto.newBuilder()
                .setName(attribute)
                .setType(AttributeProto.AttributeType.FLOAT)
                .setF((float) value)
                .build());
        return this;
    }

    Sample with(String attribute, String value) {
        attributes.add(Onnx.text(attribute, value));
        return this;
    }

    Sample with(String attribute, long... values) {
        attributes.add(Onnx.ints(attribute, values));
        return this;
    }

    Sample with(String attribute, NdArray value) {
        attributes.add(Onnx.tensor(attribute, value.toProto("")));
        return this;
    }

    Sample outputs(int count) {
        outputs = count;
        return this;
    }

    Sample within(double relative) {
        tolerance = relative;
        return this;
    }

    Sample exact() {
        return within(0);
    }

    Sample opset(long version) {
        opset = version;
        return this;
    }

    /** Replaces FLOAT by DOUBLE. */
    void widen(double precision) {
        inputs.replaceAll(x -> x == null || x.element() != ElementType.FLOAT
                ? x
                : NdArray.reals(ElementType.DOUBLE, x.dims(), x.reals()));
        tolerance = Math.min(tolerance, precision);
        widened = true;
    }

    /** A dimension list that broadcasts with the given one. */
    int[] partner(int... dims) {
        int from = between(0, dims.length);
        int[] partner = Arrays.copyOfRange(dims, from, dims.length);
        for (int i = 0; i < partner.length; i++) {
            partner[i] = random.nextInt(3) == 0 ? 1 : partner[i];
        }
        return partner;
    }
}
