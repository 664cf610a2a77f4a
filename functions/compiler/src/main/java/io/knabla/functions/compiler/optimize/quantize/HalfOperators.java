package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.cuda.CudaKernels;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which operations run in half precision: those with a half kernel that neither sum many numbers nor leave the
 * range of half floats. The list of operators that stay float32 extends that of ONNX Runtime's {@code float16.py}.
 */
final class HalfOperators {
    private static final Set<String> FLOAT32 = Set.of(
            // Exponentials and powers leave the range of half floats.
            "Exp",
            "Log",
            "Pow",
            "Softmax",
            "LogSoftmax",
            "Softplus",
            "Mish",
            // Statistics and losses.
            "LayerNormalization",
            "GroupNormalization",
            "InstanceNormalization",
            "RMSNormalization",
            "SimplifiedLayerNormalization",
            "LpNormalization",
            "LRN",
            "SoftmaxCrossEntropyLoss",
            "NegativeLogLikelihoodLoss",
            "ReduceSumSquare",
            "ReduceLogSum",
            "ReduceLogSumExp",
            "ReduceL1",
            "ReduceL2",
            "ReduceProd",
            "ScatterElements",
            "ScatterND",
            // Positions, orders and random numbers.
            "CumSum",
            "Range",
            "TopK",
            "Min",
            "Max",
            "NonMaxSuppression",
            "RoiAlign",
            "Resize",
            "Upsample",
            "GridSample",
            "EyeLike",
            "RandomNormalLike",
            "RandomUniformLike",
            "Multinomial",
            // State that is rounded in each step.
            "LSTM",
            "GRU",
            "RNN",
            // Their result has the type that they state.
            "Cast",
            "CastLike",
            "ConstantOfShape",
            "QuantizeLinear",
            "DequantizeLinear",
            "DynamicQuantizeLinear");

    private static final Set<String> SUMS = Set.of("ReduceSum", "ReduceMean", "GlobalAveragePool");

    /** Longer sums lose more than the last bits. */
    private static final long LONGEST_SUM = 1024;

    /** Smallest positive half float with full precision: smaller constants, such as an epsilon, would be rounded. */
    private static final double SMALLEST_NORMAL = 6.1035e-5;

    private final long opset;

    HalfOperators(long opset) {
        this.opset = opset;
    }

    boolean runsInHalf(Op op) {
        return op.bodies().isEmpty()
                && op.domain().isEmpty()
                && op.outputs().stream().anyMatch(HalfOperators::isFloat)
                && !FLOAT32.contains(op.type())
                && !(SUMS.contains(op.type()) && sumsMany(op))
                && op.presentInputs().stream().noneMatch(HalfOperators::isTiny)
                && hasKernel(op);
    }

    static boolean isFloat(Value value) {
        return value.element() == ElementType.FLOAT;
    }

    private boolean hasKernel(Op op) {
        List<ElementType> inputs =
                op.inputs().stream().map(HalfOperators::halved).toList();
        List<ElementType> outputs =
                op.outputs().stream().map(HalfOperators::halved).toList();
        return CudaKernels.TABLE.has(op.domain(), op.type(), opset, inputs, outputs);
    }

    private static ElementType halved(Value value) {
        if (value == null) {
            return ElementType.UNDEFINED;
        }
        return isFloat(value) ? ElementType.FLOAT16 : value.element();
    }

    private static boolean isTiny(Value value) {
        Optional<Double> number = isFloat(value) ? value.constant().flatMap(Constants::number) : Optional.empty();
        return number.filter(n -> n != 0 && Math.abs(n) < SMALLEST_NORMAL).isPresent();
    }

    /** Sums of unknown length count as long. */
    private static boolean sumsMany(Op op) {
        Optional<List<Long>> from = op.input(0).sizes();
        Optional<List<Long>> to = op.output().sizes();
        return from.isEmpty() || to.isEmpty() || product(from.get()) / Math.max(1, product(to.get())) > LONGEST_SUM;
    }

    private static long product(List<Long> sizes) {
        return sizes.stream().reduce(1L, (a, b) -> a * b);
    }
}
