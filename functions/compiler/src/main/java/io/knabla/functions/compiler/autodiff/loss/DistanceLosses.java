package io.knabla.functions.compiler.autodiff.loss;

import io.knabla.functions.compiler.autodiff.options.Gradient.Reduction;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;

/** Losses between an output and a target of the same shape; means go over all elements, as in PyTorch. */
record DistanceLosses(Ops code, Reduction reduction) {
    /** PyTorch's lower bound of the product of two norms. */
    private static final double SMALLEST_NORM = 1e-8;

    Value squared(Value output, Value target) {
        return reduced(code.square(code.sub(output, target)));
    }

    Value absolute(Value output, Value target) {
        return reduced(code.abs(code.sub(output, target)));
    }

    /** d²/2 up to {@code delta}, then delta · (|d| − delta/2). */
    Value huber(Value output, Value target, double delta) {
        Value d = code.sub(output, target);
        Value size = code.abs(d);
        Value line = code.mul(code.add(size, -delta / 2), delta);
        Value curve = code.mul(code.square(d), 0.5);
        return reduced(code.where(code.less(size, code.scalar(d, delta)), curve, line));
    }

    /** −t·log σ(x) − (1−t)·log(1−σ(x)) = softplus(x) − x·t, which stays finite for large x. */
    Value binaryCrossEntropy(Value output, Value target) {
        return reduced(code.sub(softplus(output), code.mul(output, target)));
    }

    /** ONNX Runtime has no CPU kernel of Softplus for doubles. */
    private Value softplus(Value x) {
        if (x.element() != ElementType.DOUBLE) {
            return code.op("Softplus", x);
        }
        Value tail = code.log(code.add(code.exp(code.neg(code.abs(x))), 1));
        return code.add(code.op("Relu", x), tail);
    }

    /** One minus the cosine of the angle between output and target along the last axis. */
    Value cosine(Value output, Value target) {
        Value product = last(code.mul(output, target));
        Value norms = code.sqrt(code.mul(last(code.square(output)), last(code.square(target))));
        Value guarded = code.max(norms, code.scalar(output, SMALLEST_NORM));
        return reduced(code.sub(code.scalar(output, 1), code.div(product, guarded)));
    }

    private Value last(Value a) {
        return code.reduceSum(a, List.of(-1L), false);
    }

    private Value reduced(Value losses) {
        return switch (reduction) {
            case Mean -> code.meanAll(losses);
            case Sum -> code.sumAll(losses);
            case None -> losses;
        };
    }
}
