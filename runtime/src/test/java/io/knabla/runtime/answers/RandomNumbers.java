package io.knabla.runtime.answers;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random arrays of small numbers, on which the operators agree to the last bits. */
final class RandomNumbers {
    private RandomNumbers() {}

    /** @param rows size of the dimensions that are -1 */
    static NdArray array(RandomGenerator random, ElementType type, List<Integer> shape, int rows) {
        int[] dims = shape.stream().mapToInt(size -> size < 0 ? rows : size).toArray();
        int count = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        if (type.isFloat()) {
            return NdArray.reals(
                    type,
                    dims,
                    random.ints(count, -16, 17).mapToDouble(i -> i / 4.0).toArray());
        }
        boolean truth = type == ElementType.BOOL;
        return NdArray.whole(
                type,
                dims,
                random.ints(count, truth ? 0 : -5, truth ? 2 : 6).asLongStream().toArray());
    }
}
