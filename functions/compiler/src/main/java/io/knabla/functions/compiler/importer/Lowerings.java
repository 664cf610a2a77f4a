package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Table of all lowerings by operator name; operators outside ONNX's own domain have it as a prefix. */
public final class Lowerings {
    private static final Map<String, Lowering> TABLE = table();

    /** All lowerings except those of sequences, which {@link Importer} adds. */
    public static final Lowering STANDARD = (code, call) -> {
        Lowering found = TABLE.get(qualified(call));
        try {
            return found == null ? Optional.empty() : found.lower(code, call);
        } catch (NotConstantException _) {
            return Optional.empty();
        }
    };

    private Lowerings() {}

    /** Whether the table has an entry. */
    public static boolean has(String qualifiedOp) {
        return TABLE.containsKey(qualifiedOp);
    }

    private static String qualified(Call call) {
        String domain = call.spec().domain();
        return domain.isEmpty() ? call.type() : domain + "." + call.type();
    }

    private static Map<String, Lowering> table() {
        var table = new HashMap<String, Lowering>();
        Elementwise.register(table);
        LegacyAttributes.register(table);
        Axes.register(table);
        AttributesToInputs.register(table);
        Reductions.register(table);
        Windows.register(table);
        Activations.register(table);
        Normalizations.register(table);
        Attention.register(table);
        Rotary.register(table);
        FusedOperators.register(table);
        BlockRearrangement.register(table);
        SamplingAndSelection.register(table);
        GridSample.register(table);
        Determinant.register(table);
        Optimizers.register(table);
        LoweringHelpers.put(table, "Constant", (code, call) -> code.builder().constant(ConstantValue.tensor(call)));
        return Map.copyOf(table);
    }
}
