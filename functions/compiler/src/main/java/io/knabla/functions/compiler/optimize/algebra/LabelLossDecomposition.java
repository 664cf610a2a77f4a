package io.knabla.functions.compiler.optimize.algebra;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;

/**
 * Decomposes losses over class labels of scores [items, classes]. ONNX Runtime has no CPU kernel for them, and its own
 * decomposition for scores of any rank costs two transposed copies of the scores.
 */
final class LabelLossDecomposition {
    private LabelLossDecomposition() {}

    static Optional<List<Value>> rewrite(Ops code, Op op) {
        boolean scores = op.is("SoftmaxCrossEntropyLoss");
        if (!scores && !op.is("NegativeLogLikelihoodLoss")
                || op.input(0).shape().filter(shape -> shape.rank() == 2).isEmpty()) {
            return Optional.empty();
        }
        Value logs = scores ? code.op("LogSoftmax", Attributes.of("axis", 1), op.input(0)) : op.input(0);
        Value loss = loss(code, op, logs);
        return Optional.of(scores ? List.of(loss, logs) : List.of(loss));
    }

    private static Value loss(Ops code, Op op, Value logs) {
        Value labels = op.input(1);
        Value gone = null;
        if (op.attributes().has("ignore_index")) {
            long ignored = op.attributes().integer("ignore_index", 0);
            gone = code.equal(labels, code.scalar(labels, ignored));
            labels = code.where(gone, code.scalar(labels, 0), labels);
        }
        Value places = code.unsqueeze(labels, 1);
        Value own = code.op("GatherElements", Attributes.of("axis", 1), logs, places);
        Value losses = code.neg(code.squeeze(own, 1));
        Value weights = op.has(2) ? counted(code, gone, code.gather(op.input(2), labels, 0)) : null;
        losses = counted(code, gone, weights == null ? losses : code.mul(losses, weights));
        return switch (op.attributes().text("reduction", "mean")) {
            case "none" -> losses;
            case "sum" -> code.sumAll(losses);
            default -> code.div(code.sumAll(losses), number(code, gone, weights, losses));
        };
    }

    /** Replaces the loss of an ignored item by 0, even if it is infinite. */
    private static Value counted(Ops code, Value gone, Value numbers) {
        return gone == null ? numbers : code.where(gone, code.scalar(numbers, 0), numbers);
    }

    private static Value number(Ops code, Value gone, Value weights, Value losses) {
        if (weights != null) {
            return code.sumAll(weights);
        }
        return gone == null ? code.count(losses, losses) : code.sumAll(code.indicator(code.not(gone), losses));
    }
}
