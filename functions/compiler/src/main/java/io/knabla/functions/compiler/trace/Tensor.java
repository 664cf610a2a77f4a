package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Immutable tensor: either holds values and computes at once, or is symbolic and records each operation in a graph. The
 * first mode is called eager, the second traced. The operations are in {@link Elementwise}, {@link ShapeOperations} and
 * {@link Layers}.
 */
public final class Tensor implements Elementwise, ShapeOperations, Layers {
    private final NdArray array;
    private final String name;
    private final Recording recording;
    private final Value value;

    private Tensor(NdArray array, String name, Recording recording, Value value) {
        this.array = array;
        this.name = name;
        this.recording = recording;
        this.value = value;
    }

    Tensor(Recording recording, Value value) {
        this(null, "", recording, value);
    }

    public static Tensor of(NdArray array) {
        return new Tensor(array, "", null, null);
    }

    /** {@code a} where the condition holds, else {@code b}, element by element. */
    public static Tensor where(Tensor condition, Tensor a, Tensor b) {
        return operation("Where", Attributes.NONE, condition, a, b);
    }

    /** Concatenates along an axis. */
    public static Tensor concat(int axis, Tensor... parts) {
        return operation("Concat", Attributes.of("axis", axis), parts);
    }

    /** Stacks along a new axis. */
    public static Tensor stack(int axis, Tensor... parts) {
        return concat(axis, Arrays.stream(parts).map(p -> p.unsqueeze(axis)).toArray(Tensor[]::new));
    }

    /** Applies any ONNX operator by name and returns its first output. */
    public static Tensor operation(String type, Attributes attributes, Tensor... inputs) {
        return operation(type, attributes, Arrays.asList(inputs), 1).getFirst();
    }

    /** @param inputs null for an omitted optional input */
    public static List<Tensor> operation(String type, Attributes attributes, List<Tensor> inputs, int outputs) {
        return Operation.run(type, attributes, inputs, outputs);
    }

    /**
     * Returns a parameter with these values: in a traced graph an initializer of this name, which can be trained and
     * differentiated with respect to. A tensor without a name becomes a constant, and so does the result of operations
     * on constants only.
     */
    public Tensor named(String parameter) {
        if (parameter.isEmpty()) {
            throw new IllegalArgumentException("a parameter needs a name");
        }
        return new Tensor(known("named()"), parameter, null, null);
    }

    /** The parameter's name; "" for other tensors. */
    public String name() {
        return name;
    }

    public ElementType element() {
        return type().element();
    }

    public int rank() {
        return array != null ? array.rank() : value.rank();
    }

    /** Size of an axis; throws {@link DataDependentException} during a trace if the signature leaves the size open */
    public int dim(int axis) {
        if (array != null) {
            return array.dim(axis);
        }
        Dim dim = value.dim(axis);
        if (!dim.known()) {
            throw DataDependentException.size(axis, dim.toString(), toString());
        }
        return Math.toIntExact(dim.or(0));
    }

    /** Sizes of all axes, with the same restriction. */
    public int[] dims() {
        int[] dims = new int[rank()];
        Arrays.setAll(dims, this::dim);
        return dims;
    }

    /** The value of a one-element tensor. Not allowed during a trace. */
    public double item() {
        NdArray one = known("item()");
        if (one.size() != 1) {
            throw new IllegalStateException("item() of %d elements; use toArray()".formatted(one.size()));
        }
        return one.real(0);
    }

    /** Whether the value of a one-element tensor is not 0. Not allowed during a trace. */
    public boolean booleanValue() {
        return known("booleanValue()").size() == 1 && item() != 0;
    }

    /** All values in row-major order. Not allowed during a trace. */
    public double[] toArray() {
        return known("toArray()").reals().clone();
    }

    public NdArray toNdArray() {
        return known("toNdArray()");
    }

    private NdArray known(String how) {
        if (recording() != null) {
            throw DataDependentException.reading(how, name.isEmpty() ? toString() : "'" + name + "'");
        }
        return array;
    }

    TensorType type() {
        return array != null ? array.type() : value.type();
    }

    NdArray array() {
        return array;
    }

    /** The trace of this tensor; null if it has values. During a trace, parameters belong to it, too. */
    Recording recording() {
        return recording == null && !name.isEmpty() ? Recording.current() : recording;
    }

    Value value(Recording into) {
        return array == null ? value : into.lift(this);
    }

    /** A scalar constant of this tensor's element type. */
    Tensor like(double number) {
        return of(NdArray.scalar(element(), number));
    }

    @Override
    public Tensor self() {
        return this;
    }

    @Override
    public String toString() {
        return array != null
                ? array.toString()
                : Optional.of(value.name())
                                .filter(n -> !n.isEmpty())
                                .map(n -> "'" + n + "' ")
                                .orElse("")
                        + element()
                        + value.shape().map(Object::toString).orElse("[…]");
    }
}
