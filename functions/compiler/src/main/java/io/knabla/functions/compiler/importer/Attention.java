package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Lowers the Attention operator of opsets 23 and 24. */
final class Attention {
    private Attention() {}

    static void register(Map<String, Lowering> table) {
        table.put("Attention", Attention::lower);
    }

    private static Optional<List<Value>> lower(Ops code, Call call) {
        Attributes given = call.attributes();
        if (given.integer("left_window_size", -1) >= 0 || given.integer("right_window_size", -1) >= 0) {
            throw new UnsupportedOperatorException("slides a window over its keys, which opset 24 does not have");
        }
        Value query = AttentionCore.heads(code, requiredInput(call, 0), given.integer("q_num_heads", 0));
        Value key = AttentionCore.heads(code, requiredInput(call, 1), given.integer("kv_num_heads", 0));
        Value value = AttentionCore.heads(code, requiredInput(call, 2), given.integer("kv_num_heads", 0));
        key = call.has(4) ? code.concat(2, call.input(4), key) : key;
        value = call.has(5) ? code.concat(2, call.input(5), value) : value;
        var core = new AttentionCore(code, query, key, value);

        Value scores = core.scores(given.real("scale", 0));
        double cap = given.real("softcap", 0);
        Value capped = cap == 0 ? scores : code.mul(code.op("Tanh", code.div(scores, cap)), cap);
        Value mask = call.input(3);
        boolean added = mask != null && mask.element() != ElementType.BOOL;
        Value biased = added ? code.add(capped, core.extended(mask, Double.NEGATIVE_INFINITY)) : capped;
        Value allowed = allowed(core, call);
        ElementType precision = ElementType.of(
                (int) given.integer("softmax_precision", scores.element().number()));
        Value probabilities = core.probabilities(biased, allowed, precision);
        Value result = core.weighed(probabilities);
        Value out = requiredInput(call, 0).rank() == 3 ? AttentionCore.joined(code, result) : result;
        Value shown = switch ((int) given.integer("qk_matmul_output_mode", 0)) {
            case 0 -> scores;
            case 1 -> capped;
            case 2 -> hidden(code, biased, allowed);
            case 3 -> probabilities;
            default -> throw new UnsupportedOperatorException("has a qk_matmul_output_mode beyond 0 to 3");
        };
        return Optional.of(List.of(out, key, value, shown));
    }

    private static Value hidden(Ops code, Value scores, Value allowed) {
        return allowed == null ? scores : code.where(allowed, scores, code.scalar(scores, Double.NEGATIVE_INFINITY));
    }

    /** Conjunction of all masks, or null if there are none. */
    private static Value allowed(AttentionCore core, Call call) {
        Ops code = core.code();
        Value mask = call.input(3);
        Value stated = mask != null && mask.element() == ElementType.BOOL ? core.extended(mask, 0) : null;
        Value filled = call.has(6) ? core.filled(call.input(6)) : null;
        Value causal = null;
        if (call.attributes().integer("is_causal", 0) == 1) {
            causal = core.causal(offset(core, call));
        }
        return Arrays.asList(stated, filled, causal).stream()
                .filter(Objects::nonNull)
                .reduce(code::and)
                .orElse(null);
    }

    /** Number of keys before the first query. */
    private static Value offset(AttentionCore core, Call call) {
        Ops code = core.code();
        if (call.has(4)) {
            return code.squeeze(code.sizeOf(call.input(4), 2), 0);
        }
        if (call.has(6)) {
            Value length = code.squeeze(code.sizeOf(core.query(), 2), 0);
            Value counts = code.cast(call.input(6), ElementType.INT64);
            return code.unsqueeze(code.sub(counts, length), 1, 2, 3);
        }
        return code.integer(0);
    }
}
