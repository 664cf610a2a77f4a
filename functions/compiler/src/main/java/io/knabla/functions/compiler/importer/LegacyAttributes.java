package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.recreate;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers operators that lost or renamed attributes before opset 20. */
final class LegacyAttributes {
    private static final int TRAINING_IS_AN_ATTRIBUTE = 14;

    private LegacyAttributes() {}

    static void register(Map<String, Lowering> table) {
        table.put("BatchNormalization", LegacyAttributes::batchNorm);
        table.put("Gemm", LegacyAttributes::gemm);
        for (String op : List.of("Relu", "Sigmoid", "Tanh", "Exp", "Log", "Sqrt", "Neg", "Abs")) {
            table.put(op, LegacyAttributes::plain);
        }
        for (String op : List.of("Reciprocal", "Floor", "Ceil")) {
            table.put(op, LegacyAttributes::plain);
        }
        for (String op : List.of("Elu", "LeakyRelu", "Selu", "HardSigmoid")) {
            table.put(op, LegacyAttributes::activation);
        }
        table.put("Scan", LegacyAttributes::scan);
        for (String op : List.of("LSTM", "GRU", "RNN")) {
            table.put(op, Recurrent::timeFirst);
        }
    }

    private static Optional<List<Value>> plain(Ops code, Call call) {
        return call.attributes().values().isEmpty()
                ? Optional.empty()
                : recreate(code, call, Attributes.NONE, call.spec().inputs());
    }

    private static Optional<List<Value>> activation(Ops code, Call call) {
        return call.attributes().has("consumed_inputs")
                ? recreate(
                        code,
                        call,
                        call.attributes().without("consumed_inputs"),
                        call.spec().inputs())
                : Optional.empty();
    }

    private static Optional<List<Value>> scan(Ops code, Call call) {
        if (call.opset() < 9) {
            throw new UnsupportedOperatorException(
                    "is of opset 8, when Scan had an axis for the batch; export with opset 9 or newer");
        }
        return Optional.empty();
    }

    /** A missing bias stays missing. */
    private static Optional<List<Value>> gemm(Ops code, Call call) {
        return recreate(
                code, call, call.attributes().without("broadcast"), call.spec().inputs());
    }

    /** Outputs: normalised, running mean and variance, and, in old opsets, the batch's own. */
    private static Optional<List<Value>> batchNorm(Ops code, Call call) {
        if (call.attributes().integer("spatial", 1) == 0) {
            throw new UnsupportedOperatorException(
                    "normalises every element on its own (spatial=0), which opset 9 removed; export it again");
        }
        boolean training = call.opset() >= TRAINING_IS_AN_ATTRIBUTE
                ? call.attributes().integer("training_mode", 0) == 1
                : call.outputs() > 1;
        Attributes attributes = call.attributes().without("is_test", "spatial", "consumed_inputs", "training_mode");
        if (!training) {
            return recreate(code, call, attributes, call.spec().inputs().subList(0, 5));
        }
        var spec = new Op.Spec(
                call.spec().name(),
                "",
                "BatchNormalization",
                attributes.with("training_mode", 1),
                call.spec().inputs(),
                Map.of());
        var outputs = new ArrayList<>(code.builder().op(spec, 3).outputs());
        if (call.outputs() > 3) {
            Value x = requiredInput(call, 0);
            var axes = new ArrayList<>(LoweringHelpers.range(0, x.rank()));
            axes.remove(1L);
            Value mean = code.reduceMean(x, axes, true);
            Value variance = code.reduceMean(code.square(code.sub(x, mean)), axes, false);
            outputs.add(code.reshapeLike(mean, requiredInput(call, 1)));
            outputs.add(variance);
        }
        return Optional.of(outputs);
    }
}
