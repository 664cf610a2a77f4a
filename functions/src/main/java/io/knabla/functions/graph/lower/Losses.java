package io.knabla.functions.graph.lower;

import static io.knabla.functions.graph.lower.Forms.need;

import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Losses over classes, which are the second axis. */
final class Losses {
    private Losses() {}

    static void register(Map<String, Lowering> table) {
        Forms.put(
                table,
                "NegativeLogLikelihoodLoss",
                (code, call) -> likelihood(code, call, need(call, 0)));
        table.put("SoftmaxCrossEntropyLoss", Losses::crossEntropy);
    }

    /** Outputs: the loss, the logarithms of the probabilities. */
    private static Optional<List<Value>> crossEntropy(Ops code, Call call) {
        Value logs = code.op("LogSoftmax", Attributes.of("axis", 1), need(call, 0));
        return Optional.of(List.of(likelihood(code, call, logs), logs));
    }

    private static Value likelihood(Ops code, Call call, Value logs) {
        Value target = code.cast(need(call, 1), ElementType.INT64);
        boolean ignores = call.attributes().has("ignore_index");
        Value counts =
                ignores
                        ? code.not(
                                code.equal(
                                        target,
                                        code.integer(call.attributes().integer("ignore_index", 0))))
                        : null;
        Value safe = ignores ? code.where(counts, target, code.integer(0)) : target;
        Attributes classes = Attributes.of("axis", 1);
        Value picked =
                code.squeeze(code.op("GatherElements", classes, logs, code.unsqueeze(safe, 1)), 1);
        Value loss = code.neg(picked);
        Value weight = call.has(2) ? code.gather(call.input(2), safe, 0) : null;
        loss = weight == null ? loss : code.mul(loss, weight);
        if (ignores) {
            loss = code.where(counts, loss, code.scalar(loss, 0));
            Value share = code.indicator(counts, loss);
            weight = weight == null ? share : code.mul(weight, share);
        }
        String reduction = call.attributes().text("reduction", "mean");
        return switch (reduction) {
            case "none" -> loss;
            case "sum" -> code.sumAll(loss);
            case "mean" ->
                    weight == null
                            ? code.meanAll(loss)
                            : code.div(code.sumAll(loss), code.sumAll(weight));
            default ->
                    throw new Refusal(
                            "has the reduction '%s'; allowed are none, sum and mean"
                                    .formatted(reduction));
        };
    }
}
