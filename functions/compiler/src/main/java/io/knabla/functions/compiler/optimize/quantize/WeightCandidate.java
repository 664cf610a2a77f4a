package io.knabla.functions.compiler.optimize.quantize;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.Optional;

/** Whether an operation has a weight that can be quantised. */
sealed interface WeightCandidate {
    /** Not an operation that can be quantised. */
    record Other() implements WeightCandidate {}

    /** An operation that could be quantised, but for the given reason is not. */
    record Unfit(String why) implements WeightCandidate {}

    /**
     * An operation that can be quantised.
     *
     * @param weight index of the weight among the inputs
     * @param channels axis of the weight that has one scale per channel
     */
    record Fit(int weight, int channels) implements WeightCandidate {}

    static WeightCandidate of(Op op, int minElements) {
        if (!op.domain().isEmpty()) {
            return new Other();
        }
        return switch (op.type()) {
            case "MatMul" -> weight(op, 1, 1, minElements).orElseGet(() -> rank(op, 2, new Fit(1, 1)));
            case "Gemm" -> gemm(op, minElements);
            case "Conv" -> weight(op, 1, 0, minElements).orElseGet(() -> new Fit(1, 0));
            case "Gather" -> gather(op, minElements);
            default -> new Other();
        };
    }

    /** Why the weight cannot be quantised, if so. */
    private static Optional<WeightCandidate> weight(Op op, int input, int channels, int minElements) {
        Value weight = op.input(input);
        if (weight == null || weight.constant().isEmpty()) {
            return Optional.of(new Other());
        }
        TensorProto tensor = weight.constant().get();
        if (weight.element() != ElementType.FLOAT) {
            return Optional.of(new Other());
        }
        if (TensorProtos.isExternal(tensor)) {
            return Optional.of(new Unfit("its weight is in another file"));
        }
        long elements = TensorProtos.elements(tensor).orElse(0L);
        if (elements < Math.max(1, minElements) || tensor.getDimsCount() <= channels) {
            return Optional.of(new Unfit("its weight has only %d elements".formatted(elements)));
        }
        return Optional.empty();
    }

    private static WeightCandidate rank(Op op, int wanted, Fit fit) {
        int rank = op.input(fit.weight).rank();
        return rank == wanted ? fit : new Unfit("its weight has rank " + rank);
    }

    private static WeightCandidate gemm(Op op, int minElements) {
        int channels = op.attributes().integer("transB", 0) == 1 ? 0 : 1;
        Optional<WeightCandidate> against = weight(op, 1, channels, minElements);
        if (against.isPresent()) {
            return against.get();
        }
        boolean plain = op.attributes().integer("transA", 0) == 0
                && op.attributes().real("alpha", 1) == 1
                && (!op.has(2) || op.attributes().real("beta", 1) == 1);
        return plain ? new Fit(1, channels) : new Unfit("it scales or transposes its first operand");
    }

    /** An embedding: looks up rows of a table by index. */
    private static WeightCandidate gather(Op op, int minElements) {
        if (op.attributes().integer("axis", 0) != 0) {
            return new Other();
        }
        return weight(op, 0, 0, minElements).orElseGet(() -> rank(op, 2, new Fit(0, 0)));
    }
}
