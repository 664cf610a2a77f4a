package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers recurrent layers to the layout with time as the first axis. */
final class Recurrent {
    private static final List<Integer> STATES = List.of(5, 6);

    private Recurrent() {}

    static Optional<List<Value>> timeFirst(Ops code, Call call) {
        Attributes attributes = call.attributes().without("layout", "output_sequence");
        boolean batchFirst = call.attributes().integer("layout", 0) == 1;
        if (!batchFirst) {
            return call.attributes().equals(attributes)
                    ? Optional.empty()
                    : LoweringHelpers.recreate(
                            code, call, attributes, call.spec().inputs());
        }
        var inputs = new ArrayList<>(call.spec().inputs());
        inputs.set(0, code.transpose(requiredInput(call, 0), 1, 0, 2));
        for (int state : STATES) {
            if (call.has(state)) {
                inputs.set(state, code.transpose(call.input(state), 1, 0, 2));
            }
        }
        var spec = new Op.Spec(call.spec().name(), "", call.type(), attributes, inputs, Map.of());
        List<Value> made = code.builder().op(spec, call.outputs()).outputs();
        var outputs = new ArrayList<Value>();
        for (int i = 0; i < made.size(); i++) {
            outputs.add(i == 0 ? code.transpose(made.get(i), 2, 0, 1, 3) : code.transpose(made.get(i), 1, 0, 2));
        }
        return Optional.of(outputs);
    }
}
