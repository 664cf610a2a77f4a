package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.AttributeProto;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evaluates single ONNX operators with the semantics of opset 20. FLOAT is computed in double and rounded once, DOUBLE
 * stays double. Slow and simple on purpose.
 */
public final class Evaluator {
    private Evaluator() {}

    /** Whether {@link #evaluate} supports the operator of this name in ONNX's own domain. */
    public static boolean supports(String op) {
        return Kernels.of(op).isPresent();
    }

    /** Evaluates without a budget, for trusted code. */
    public static Optional<List<NdArray>> evaluate(
            String op, Map<String, AttributeProto> attributes, List<NdArray> inputs) {
        return evaluate(op, attributes, inputs, Budget.unlimited());
    }

    /**
     * Returns the outputs in order, or empty for an unsupported operator, such as a random one.
     *
     * @param inputs null for an omitted input
     * @throws EvaluationException if the operator does not accept these inputs or exceeds this budget
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
