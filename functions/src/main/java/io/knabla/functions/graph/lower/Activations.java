package io.knabla.functions.graph.lower;

import static io.knabla.functions.graph.lower.Forms.need;

import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Value;
import java.util.Map;

/** Activations that are a few simpler ones together. */
final class Activations {
    private static final double QUICK_GELU = 1.702;

    private Activations() {}

    static void register(Map<String, Lowering> table) {
        Forms.put(table, "Mish", Activations::mish);
        Forms.put(table, "Swish", (code, call) -> swish(code, call, 1));
        Forms.put(table, "com.microsoft.QuickGelu", (code, call) -> swish(code, call, QUICK_GELU));
        Forms.put(table, "SwiGLU", Activations::swiGlu);
        Forms.put(table, "Celu", Activations::celu);
        Forms.put(table, "Shrink", Activations::shrink);
        Forms.put(table, "com.microsoft.Gelu", (code, call) -> gelu(code, need(call, 0), "none"));
        Forms.put(
                table,
                "com.microsoft.BiasGelu",
                (code, call) -> gelu(code, biased(code, call), "none"));
        Forms.put(
                table,
                "com.microsoft.FastGelu",
                (code, call) -> gelu(code, biased(code, call), "tanh"));
    }

    private static Value biased(Ops code, Call call) {
        return call.has(1) ? code.add(need(call, 0), call.input(1)) : need(call, 0);
    }

    static Value gelu(Ops code, Value x, String approximate) {
        return code.op("Gelu", Attributes.of("approximate", approximate), x);
    }

    private static Value mish(Ops code, Call call) {
        Value x = need(call, 0);
        return code.mul(x, code.op("Tanh", code.op("Softplus", x)));
    }

    private static Value swish(Ops code, Call call, double otherwise) {
        Value x = need(call, 0);
        return swish(code, x, call.attributes().real("alpha", otherwise));
    }

    static Value swish(Ops code, Value x, double alpha) {
        return code.mul(x, code.op("Sigmoid", code.mul(x, alpha)));
    }

    /** One half of the last axis, through Swish, gates the other. */
    private static Value swiGlu(Ops code, Call call) {
        Value gate = need(call, 0);
        return code.mul(swish(code, gate, call.attributes().real("alpha", 1)), need(call, 1));
    }

    /** Elu drawn out along both axes, so that its slope is 1 at 0. */
    private static Value celu(Ops code, Call call) {
        double alpha = call.attributes().real("alpha", 1);
        Value inner = code.op("Elu", code.div(need(call, 0), alpha));
        return code.mul(inner, alpha);
    }

    private static Value shrink(Ops code, Call call) {
        Value x = need(call, 0);
        double bias = call.attributes().real("bias", 0);
        double lambda = call.attributes().real("lambd", 0.5);
        Value low = code.less(x, code.scalar(x, -lambda));
        Value high = code.greater(x, code.scalar(x, lambda));
        Value upper = code.where(high, code.add(x, -bias), code.scalar(x, 0));
        return code.where(low, code.add(x, bias), upper);
    }
}
