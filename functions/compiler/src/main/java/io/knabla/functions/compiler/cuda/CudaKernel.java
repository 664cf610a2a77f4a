package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kernels that the CUDA provider registers for one operator in a range of opsets.
 *
 * @param last opset, inclusive
 * @param inputTypes allowed element types by input; an input that is not named may have any
 * @param hostInputs inputs that the kernel reads in host memory
 * @param hostOutputs outputs that the kernel writes to host memory
 */
record CudaKernel(
        long first,
        long last,
        Map<Integer, Set<ElementType>> inputTypes,
        Map<Integer, Set<ElementType>> outputTypes,
        Set<Integer> hostInputs,
        Set<Integer> hostOutputs) {

    boolean isFor(long opset) {
        return first <= opset && opset <= last;
    }

    boolean accepts(List<ElementType> inputs, List<ElementType> outputs) {
        return accepts(inputTypes, inputs) && accepts(outputTypes, outputs);
    }

    /** An omitted operand and one of unknown type fit. */
    private static boolean accepts(Map<Integer, Set<ElementType>> allowed, List<ElementType> types) {
        return allowed.entrySet().stream()
                .filter(one -> one.getKey() < types.size())
                .allMatch(one -> fits(one.getValue(), types.get(one.getKey())));
    }

    private static boolean fits(Set<ElementType> allowed, ElementType type) {
        return type == ElementType.UNDEFINED || allowed.contains(type);
    }
}
