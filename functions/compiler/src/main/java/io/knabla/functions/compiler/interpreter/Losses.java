package io.knabla.functions.compiler.interpreter;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Kernels of SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss. */
final class Losses {
    private Losses() {}

    static void register(Map<String, Kernel> table) {
        table.put("SoftmaxCrossEntropyLoss", call -> {
            NdArray logs = Softmaxes.along(call, call.input(0), 1, Softmaxes::logSoftmax);
            return List.of(likelihood(call, logs), logs);
        });
        table.put("NegativeLogLikelihoodLoss", (Kernel.SingleOutput) call -> likelihood(call, call.input(0)));
    }

    /** Labels equal to ignore_index have weight 0. */
    private static NdArray likelihood(Call call, NdArray logs) {
        NdArray labels = call.input(1);
        boolean ignores = call.attributes().containsKey("ignore_index");
        long ignored = call.integer("ignore_index", 0);
        AxisView along = AxisView.of(logs, 1);
        double[] losses = new double[labels.size()];
        double weights = 0;
        for (int i = 0; i < losses.length; i++) {
            if (ignores && labels.whole(i) == ignored) {
                continue;
            }
            int label = Gathers.index(labels.whole(i), along.size());
            double weight = call.has(2) ? call.input(2).real(label) : 1;
            weights += weight;
            losses[i] = -weight * logs.real(along.at(i, label));
        }
        double sum = Arrays.stream(losses).sum();
        return switch (call.text("reduction", "mean")) {
            case "none" -> NdArray.reals(logs.element(), call.checkedDims(labels.dims()), losses);
            case "sum" -> NdArray.scalar(logs.element(), sum);
            case "mean" -> NdArray.scalar(logs.element(), sum / weights);
            default -> throw new EvaluationException("an unknown reduction");
        };
    }
}
