package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.Map;

/** Lowers fused activations that have no operator in opset 20. */
final class Activations {
    private static final double QUICK_GELU = 1.702;

    private Activations() {}

    static void register(Map<String, Lowering> table) {
        LoweringHelpers.put(table, "com.microsoft.QuickGelu", Activations::quickGelu);
        LoweringHelpers.put(table, "SwiGLU", Activations::swiGlu);
        LoweringHelpers.put(table, "com.microsoft.Gelu", (code, call) -> gelu(code, requiredInput(call, 0), "none"));
        LoweringHelpers.put(table, "com.microsoft.BiasGelu", (code, call) -> gelu(code, biased(code, call), "none"));
        LoweringHelpers.put(table, "com.microsoft.FastGelu", (code, call) -> gelu(code, biased(code, call), "tanh"));
    }

    private static Value biased(Ops code, Call call) {
        return call.has(1) ? code.add(requiredInput(call, 0), call.input(1)) : requiredInput(call, 0);
    }

    static Value gelu(Ops code, Value x, String approximate) {
        return code.op("Gelu", Attributes.of("approximate", approximate), x);
    }

    private static Value quickGelu(Ops code, Call call) {
        return swish(code, requiredInput(call, 0), call.attributes().real("alpha", QUICK_GELU));
    }

    private static Value swish(Ops code, Value x, double alpha) {
        return code.mul(x, code.op("Sigmoid", code.mul(x, alpha)));
    }

    /** Multiplies Swish of the first input by the second input. */
    private static Value swiGlu(Ops code, Call call) {
        Value gate = requiredInput(call, 0);
        return code.mul(swish(code, gate, call.attributes().real("alpha", 1)), requiredInput(call, 1));
    }
}
