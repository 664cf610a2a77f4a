package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Node with the inferred information about its inputs. An accessor that finds nothing ends the calling rule.
 *
 * @param opset version of the node's domain
 */
public record OpContext(Node node, long opset, List<ValueInfo> inputs) {

    /**
     * Inferred information about a value: its type, small integer contents and constant tensor.
     *
     * @param integers the contents of a small integer tensor, in row-major order
     * @param constant tensor, if the value is an initializer or a constant
     */
    public record ValueInfo(TensorType type, Optional<List<Dim>> integers, Optional<TensorProto> constant) {
        static final ValueInfo NOTHING = new ValueInfo(TensorType.UNKNOWN, Optional.empty(), Optional.empty());

        static ValueInfo of(TensorType type) {
            return new ValueInfo(type, Optional.empty(), Optional.empty());
        }
    }

    public boolean has(int input) {
        return !node.input(input).isEmpty();
    }

    public ValueInfo input(int index) {
        return index < inputs.size() ? inputs.get(index) : ValueInfo.NOTHING;
    }

    public ElementType element(int input) {
        return input(input).type().element();
    }

    public Shape shape(int input) {
        return input(input).type().shape().orElseThrow(() -> ShapeUnknownException.INSTANCE);
    }

    /** The contents of a small integer input. */
    public List<Dim> integers(int input) {
        return input(input).integers().orElseThrow(() -> ShapeUnknownException.INSTANCE);
    }

    /** Likewise; if they are unknown, one unknown element for each element of the vector. */
    List<Dim> integersOrUnknown(int input) {
        return input(input).integers().orElseGet(() -> open(input));
    }

    private List<Dim> open(int input) {
        Shape shape = shape(input);
        long count = shape.rank() == 1 ? shape.dim(0).or(-1) : shape.rank() == 0 ? 1 : -1;
        if (count < 0 || count > DataPropagation.MAX) {
            throw ShapeUnknownException.INSTANCE;
        }
        return Collections.nCopies((int) count, Dim.UNKNOWN);
    }

    /** The integer of an input with one element, otherwise unknown. */
    Dim scalar(int input) {
        return input(input)
                .integers()
                .filter(c -> c.size() == 1)
                .map(List::getFirst)
                .orElse(Dim.UNKNOWN);
    }

    /** The numbers in a constant input, whatever their type. */
    Optional<List<Double>> reals(int input) {
        return input(input).constant().flatMap(ConstantReals::of);
    }

    int rank(int input) {
        return shape(input).rank();
    }

    /** Contents of a small integer input whose elements are all plain numbers. */
    public List<Long> numbers(int input) {
        return numbers(integers(input));
    }

    static List<Long> numbers(List<Dim> dims) {
        var numbers = new ArrayList<Long>(dims.size());
        for (Dim dim : dims) {
            if (!(dim instanceof Dim.Known(var size))) {
                throw ShapeUnknownException.INSTANCE;
            }
            numbers.add(size);
        }
        return numbers;
    }

    /** An attribute that became an input in a later opset. */
    public Optional<List<Long>> numbers(String attribute, int input) {
        if (node.has(attribute)) {
            return Optional.of(node.integers(attribute).orElse(List.of()));
        }
        return has(input) ? Optional.of(numbers(input)) : Optional.empty();
    }

    /** An axis counted from the front. */
    public static int axis(long axis, int rank) {
        return Axis.within(axis, rank).orElseThrow(() -> ShapeUnknownException.INSTANCE);
    }

    public int axis(String attribute, long otherwise, int rank) {
        return axis(node.integer(attribute, otherwise), rank);
    }
}
