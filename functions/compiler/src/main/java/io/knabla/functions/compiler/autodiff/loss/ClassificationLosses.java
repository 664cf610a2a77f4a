package io.knabla.functions.compiler.autodiff.loss;

import io.knabla.functions.compiler.autodiff.options.Gradient.LossOptions;
import io.knabla.functions.compiler.autodiff.options.Gradient.Reduction;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Classification losses with the semantics of PyTorch's {@code cross_entropy} and {@code nll_loss}. A mean is weighted
 * by the class weights of the labels that are not ignored.
 */
record ClassificationLosses(Ops code, Reduction reduction, LossOptions options) {
    private static final long IGNORED = -100;

    /** The class axis, counted from the front. */
    static int axis(LossOptions options, int rank) {
        return Axis.fromFront(options.axis(), rank);
    }

    /** The label to ignore; PyTorch's default applies only with label smoothing. */
    static Optional<Long> ignored(LossOptions options) {
        return options.labelSmoothing() == 0
                ? options.ignoreIndex()
                : options.ignoreIndex().or(() -> Optional.of(IGNORED));
    }

    /** @param target int64 labels in the shape of the logits without the class axis */
    Value crossEntropyOfLabels(Value logits, Value target) {
        return options.labelSmoothing() == 0
                ? overLabels("SoftmaxCrossEntropyLoss", logits, target)
                : smoothed(logits, target);
    }

    /** @param target of the logits' shape, summing to 1 over the classes */
    Value crossEntropyOfProbabilities(Value logits, Value target) {
        Value rows = toRows(logits);
        Value wanted = toRows(target);
        if (options.labelSmoothing() > 0) {
            Value uniform = code.div(code.scalar(logits, options.labelSmoothing()), classes(rows));
            wanted = code.add(code.mul(wanted, 1 - options.labelSmoothing()), uniform);
        }
        Value logs = weighted(logSoftmax(rows));
        Value losses = code.neg(overClasses(code.mul(logs, wanted)));
        return switch (reduction) {
            case Mean -> code.meanAll(losses);
            case Sum -> code.sumAll(losses);
            case None -> fromRows(losses, logits);
        };
    }

    Value negativeLogLikelihood(Value logs, Value target) {
        return overLabels("NegativeLogLikelihoodLoss", logs, target);
    }

    private Value overLabels(String type, Value scores, Value target) {
        var inputs = new ArrayList<>(List.of(toRows(scores), labels(target)));
        if (!options.classWeights().isEmpty()) {
            inputs.add(weights(scores));
        }
        String reduced = reduction.name().toLowerCase(Locale.ROOT);
        Attributes attributes = Attributes.of("reduction", reduced);
        if (options.ignoreIndex().isPresent()) {
            attributes = attributes.with("ignore_index", options.ignoreIndex().get());
        }
        Value loss = code.builder().op(Op.Spec.of(type, attributes, inputs), 1).output();
        return reduction == Reduction.None ? fromRows(loss, scores) : loss;
    }

    /** (1 − s) · the loss of the label + s/C · the losses of all classes. */
    private Value smoothed(Value logits, Value target) {
        Value rows = toRows(logits);
        Value flat = labels(target);
        Value logs = logSoftmax(rows);
        Value counts = counts(flat, logits);
        Value safe = code.where(counted(flat), flat, code.integer(0));
        Value picked = code.op("GatherElements", Attributes.of("axis", 1), logs, code.unsqueeze(safe, 1));
        Value weight = code.mul(weightOf(safe, logits), counts);
        Value own = code.mul(code.neg(code.squeeze(picked, 1)), weight);
        Value all = code.mul(code.neg(overClasses(weighted(logs))), counts);
        Value share = code.div(code.scalar(logits, options.labelSmoothing()), classes(rows));
        Value losses = code.add(code.mul(own, 1 - options.labelSmoothing()), code.mul(all, share));
        return switch (reduction) {
            case Mean -> code.div(code.sumAll(losses), code.sumAll(weight));
            case Sum -> code.sumAll(losses);
            case None -> fromRows(losses, logits);
        };
    }

    private Value counted(Value labels) {
        return code.not(code.equal(labels, code.integer(ignored(options).orElse(IGNORED))));
    }

    private Value counts(Value labels, Value like) {
        return code.indicator(counted(labels), like);
    }

    private Value weightOf(Value labels, Value like) {
        return options.classWeights().isEmpty() ? code.scalar(like, 1) : code.gather(weights(like), labels, 0);
    }

    private Value weighted(Value perClass) {
        return options.classWeights().isEmpty() ? perClass : code.mul(perClass, weights(perClass));
    }

    private Value weights(Value like) {
        double[] all = options.classWeights().stream().mapToDouble(w -> w).toArray();
        return code.builder().constant(Constants.tensor(like.element(), List.of((long) all.length), all));
    }

    private Value logSoftmax(Value rows) {
        return code.op("LogSoftmax", Attributes.of("axis", 1), rows);
    }

    private Value overClasses(Value rows) {
        return code.reduceSum(rows, 1, false);
    }

    private Value classes(Value rows) {
        return code.castLike(code.squeeze(code.sizeOf(rows, 1), 0), rows);
    }

    /** Reshapes to [rows, classes], the form that all losses are written for. */
    private Value toRows(Value scores) {
        int rank = scores.rank();
        int axis = axis(options, rank);
        if (rank == 2 && axis == 1) {
            return scores;
        }
        var last = new ArrayList<Long>();
        for (long i = 0; i < rank; i++) {
            if (i != axis) {
                last.add(i);
            }
        }
        last.add((long) axis);
        Value moved = code.transpose(scores, last);
        Value size = code.sizeOf(scores, axis);
        return code.op("Reshape", moved, code.concat(0, code.ints(-1), size));
    }

    private Value labels(Value target) {
        return target.rank() == 1 ? target : code.op("Reshape", target, code.ints(-1));
    }

    /** Reshapes one loss per row to the shape of the scores without the class axis. */
    private Value fromRows(Value losses, Value scores) {
        int rank = scores.rank();
        if (rank == 2) {
            return losses;
        }
        int axis = axis(options, rank);
        Value[] sizes = new Value[rank - 1];
        int next = 0;
        for (int i = 0; i < rank; i++) {
            if (i != axis) {
                sizes[next++] = code.sizeOf(scores, i);
            }
        }
        return code.reshape(losses, code.concat(0, Arrays.asList(sizes)));
    }
}
