package io.knabla.functions.graph.lower;

import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
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
        } catch (OnlyAtRun _) {
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
        Legacy.register(table);
        Axes.register(table);
        Bounds.register(table);
        Reductions.register(table);
        Windows.register(table);
        Activations.register(table);
        Normalizations.register(table);
        Attention.register(table);
        Rotary.register(table);
        Microsoft.register(table);
        Blocks.register(table);
        Picking.register(table);
        Grids.register(table);
        Determinant.register(table);
        Optimizers.register(table);
        Forms.put(table, "Constant", (code, call) -> code.builder().constant(Held.tensor(call)));
        return Map.copyOf(table);
    }
}
