package io.knabla.functions.graph.eval;

import ai.onnx.proto.OnnxMl.AttributeProto;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computes ONNX's operators with the meaning they have in opset 20, element type by element type: FLOAT is computed in
 * double and rounded once, DOUBLE stays double. Slow and obvious on purpose.
 */
public final class Evaluator {
    private Evaluator() {}

    /** Whether {@link #evaluate} knows the operator, by its name in ONNX's own domain. */
    public static boolean knows(String op) {
        return Kernels.of(op).isPresent();
    }

    /** For one's own code: no budget. */
    public static Optional<List<NdArray>> evaluate(
            String op, Map<String, AttributeProto> attributes, List<NdArray> inputs) {
        return evaluate(op, attributes, inputs, Budget.unlimited());
    }

    /**
     * The outputs in order, empty for an operator that it does not know: random ones above all.
     *
     * @param inputs null where one is left out
     * @throws EvaluationException where the operator cannot work with these inputs, or within this budget
     */
    public static Optional<List<NdArray>> evaluate(
            String op, Map<String, AttributeProto> attributes, List<NdArray> inputs, Budget budget) {
        return Kernels.of(op).map(kernel -> run(kernel, new Call(op, attributes, inputs, budget)));
    }

    private static List<NdArray> run(Kernel kernel, Call call) {
        try {
            return kernel.run(call);
        } catch (EvaluationException refused) {
            throw new EvaluationException("%s%s: %s".formatted(call.op(), types(call), refused.getMessage()), refused);
        } catch (IndexOutOfBoundsException
                | ArithmeticException
                | IllegalArgumentException
                | NegativeArraySizeException bad) {
            // Malformed attributes and contradictory dims end in one of these.
            throw new EvaluationException(
                    "%s%s: its inputs do not fit together".formatted(call.op(), types(call)), bad);
        }
    }

    private static List<String> types(Call call) {
        return call.inputs().stream()
                .map(input -> input == null ? "-" : input.element() + Arrays.toString(input.dims()))
                .toList();
    }
}
