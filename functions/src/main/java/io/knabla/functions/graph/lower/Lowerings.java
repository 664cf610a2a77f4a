package io.knabla.functions.graph.lower;

import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.ssa.Constants;
import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Refusal;
import java.util.List;
import java.util.Optional;

/** The table of all lowerings. */
public final class Lowerings {
    /** Everything that is known. */
    public static final Lowering STANDARD =
            (code, call) ->
                    switch (call.type()) {
                        case "Identity" -> Optional.of(List.of(call.input(0)));
                        case "Constant" ->
                                Optional.of(List.of(code.builder().constant(constant(call))));
                        default -> Optional.empty();
                    };

    private Lowerings() {}

    private static ai.onnx.proto.OnnxMl.TensorProto constant(Lowering.Call call) {
        var attributes = call.attributes();
        if (attributes.has("value_float")) {
            return Constants.scalar(ElementType.FLOAT, attributes.real("value_float", 0));
        }
        if (attributes.has("value_int")) {
            return Constants.scalar(ElementType.INT64, attributes.integer("value_int", 0));
        }
        if (attributes.has("value_ints")) {
            return Constants.integers(attributes.integers("value_ints").orElseThrow());
        }
        if (attributes.has("value_floats")) {
            var floats = attributes.reals("value_floats").orElseThrow();
            return Constants.tensor(
                    ElementType.FLOAT,
                    List.of((long) floats.size()),
                    floats.stream().mapToDouble(Float::doubleValue).toArray());
        }
        return attributes
                .tensor("value")
                .orElseThrow(() -> new Refusal("holds neither a tensor nor numbers"));
    }
}
