package io.knabla.functions.compiler.trace;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Value;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** State of a trace in progress: the graph under construction and its parameters. */
final class Recording {
    /** The opset of the graphs that Knabla writes. */
    private static final long OPSET = 20;

    private static final ScopedValue<Recording> CURRENT = ScopedValue.newInstance();

    private final Builder builder = new Builder(OPSET);
    private final Map<Tensor, Value> lifted = new IdentityHashMap<>();
    private final Map<String, Value> parameters = new LinkedHashMap<>();
    private boolean over;

    /** The trace in progress on this thread; null if there is none. */
    static Recording current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    <T> T during(Supplier<T> function) {
        return ScopedValue.where(CURRENT, this).call(function::get);
    }

    Builder builder() {
        if (over) {
            throw new IllegalStateException(DataDependentException.callSite()
                    + " uses a tensor of a trace that is over; let the traced function return what it computes");
        }
        return builder;
    }

    Map<String, Value> parameters() {
        return parameters;
    }

    /** Ends the trace; its tensors cannot be used afterwards. */
    Builder end() {
        over = true;
        return builder;
    }

    /** Adds a tensor with values to the graph: as an initializer if it has a name, else as a constant. */
    Value lift(Tensor tensor) {
        return lifted.computeIfAbsent(tensor, this::constant);
    }

    private Value constant(Tensor tensor) {
        NdArray array = tensor.array();
        if (tensor.name().isEmpty()) {
            return builder().constant(array.toProto(""));
        }
        TensorProto named = array.toProto(tensor.name());
        Value value = builder().initializer(named);
        if (parameters.putIfAbsent(tensor.name(), value) != null) {
            throw new IllegalArgumentException(
                    "two parameters are called '%s'; names must be unique".formatted(tensor.name()));
        }
        return value;
    }
}
