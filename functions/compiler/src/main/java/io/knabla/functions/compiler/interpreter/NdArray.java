package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Dense tensor in row-major order. It stores floats as doubles that their element type can represent, everything else
 * as longs (booleans as 0 and 1; UINT64 by its bits).
 *
 * <p>Callers must not modify arrays that they pass in or get back.
 */
public final class NdArray {
    private final ElementType element;
    private final int[] dims;
    private final ElementStorage numbers;

    private NdArray(ElementType element, int[] dims, ElementStorage numbers) {
        if (Dims.size(dims) != numbers.size()) {
            throw new EvaluationException(
                    "%s holds %d elements, not %d".formatted(Arrays.toString(dims), Dims.size(dims), numbers.size()));
        }
        this.element = element;
        this.dims = dims;
        this.numbers = numbers;
    }

    /** Rounded to what the element type can hold. */
    public static NdArray reals(ElementType element, int[] dims, double... values) {
        double[] rounded = values;
        if (element != ElementType.DOUBLE) {
            rounded = new double[values.length];
            for (int i = 0; i < values.length; i++) {
                rounded[i] = Precision.round(element, values[i]);
            }
        }
        return new NdArray(element, dims.clone(), new ElementStorage.Reals(rounded));
    }

    /** Wrapped to what the element type can hold. */
    public static NdArray whole(ElementType element, int[] dims, long... values) {
        long[] wrapped = values;
        if (element != ElementType.INT64) {
            wrapped = new long[values.length];
            for (int i = 0; i < values.length; i++) {
                wrapped[i] = Precision.wrap(element, values[i]);
            }
        }
        return new NdArray(element, dims.clone(), new ElementStorage.Whole(wrapped));
    }

    public static NdArray floats(int[] dims, double... values) {
        return reals(ElementType.FLOAT, dims, values);
    }

    /** An INT64 vector, as axes and shapes are. */
    public static NdArray longs(long... values) {
        return whole(ElementType.INT64, new int[] {values.length}, values);
    }

    public static NdArray scalar(ElementType element, double value) {
        return element.isFloat() ? reals(element, new int[0], value) : whole(element, new int[0], (long) value);
    }

    /** All elements the same. */
    public static NdArray filled(ElementType element, int[] dims, double value) {
        if (element.isFloat()) {
            double[] values = new double[Dims.size(dims)];
            Arrays.fill(values, value);
            return reals(element, dims, values);
        }
        long[] values = new long[Dims.size(dims)];
        Arrays.fill(values, (long) value);
        return whole(element, dims, values);
    }

    /** @throws EvaluationException for strings, complex and packed numbers, and external data */
    public static NdArray of(TensorProto tensor) {
        return TensorProtoCodec.read(tensor);
    }

    public TensorProto toProto(String name) {
        return TensorProtoCodec.write(this, name);
    }

    public ElementType element() {
        return element;
    }

    public TensorType type() {
        return TensorType.of(element, Shape.of(Dims.longs(dims)));
    }

    public int[] dims() {
        return dims.clone();
    }

    public int rank() {
        return dims.length;
    }

    /** A negative axis counts from the end. */
    public int dim(int axis) {
        return dims[Axis.fromFront(axis, dims.length)];
    }

    public int size() {
        return numbers.size();
    }

    public double real(int index) {
        return numbers.real(index);
    }

    public long whole(int index) {
        return numbers.whole(index);
    }

    public boolean truth(int index) {
        return numbers.real(index) != 0;
    }

    /** All elements as doubles; the array itself if they are floats. */
    public double[] reals() {
        return numbers.reals();
    }

    /** All elements as longs; the array itself if they are integers. */
    public long[] whole() {
        return numbers.whole();
    }

    /** The same elements under other dims. */
    public NdArray withDims(int... other) {
        return new NdArray(element, other.clone(), numbers);
    }

    /**
     * Gathers elements into a new tensor of the same element type.
     *
     * @param from maps a position of the new tensor to one of this tensor; -1 for zero
     */
    public NdArray pick(int[] to, IntUnaryOperator from) {
        return new NdArray(element, to.clone(), numbers.pick(Dims.size(to), from));
    }

    public NdArray pick(int[] to, int[] from) {
        return pick(to, i -> from[i]);
    }

    /** Concatenates the elements of all parts into a vector. */
    static NdArray joined(List<NdArray> parts) {
        ElementType element = parts.getFirst().element;
        for (NdArray part : parts) {
            if (part.element != element) {
                throw new EvaluationException("inputs of different types");
            }
        }
        if (element.isFloat()) {
            double[] all = parts.stream()
                    .map(NdArray::reals)
                    .flatMapToDouble(Arrays::stream)
                    .toArray();
            return new NdArray(element, new int[] {all.length}, new ElementStorage.Reals(all));
        }
        long[] all =
                parts.stream().map(NdArray::whole).flatMapToLong(Arrays::stream).toArray();
        return new NdArray(element, new int[] {all.length}, new ElementStorage.Whole(all));
    }

    @Override
    public String toString() {
        String values = numbers.toString();
        return element + Arrays.toString(dims) + values;
    }
}
