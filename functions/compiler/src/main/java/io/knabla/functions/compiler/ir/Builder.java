package io.knabla.functions.compiler.ir;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.OpContext;
import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import io.knabla.functions.compiler.shape.OpInference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Creates SSA values and infers their types. Equal operations on equal operands are merged (hash-consing), therefore
 * rules may repeat expressions freely. Not thread-safe.
 */
public final class Builder {
    /** Random operations: equal ones must not be merged. */
    private static final Set<String> RANDOM = Set.of(
            "RandomNormal",
            "RandomUniform",
            "RandomNormalLike",
            "RandomUniformLike",
            "Bernoulli",
            "Multinomial",
            "Dropout");

    private record Key(Scope scope, String domain, String type, Attributes attributes, List<Value> inputs) {}

    private final long opset;
    private final Scope root = new Scope(0, null);
    private final Map<Key, Op> made = new HashMap<>();
    private final Map<TensorProto, Value> constants = new HashMap<>();
    private final Map<String, Value> named = new HashMap<>();
    private Scope current = root;
    private boolean withoutOuterReuse;
    private int ids;
    private int scopes;

    /** @param opset version of ONNX's own operators to write, at least 20 */
    public Builder(long opset) {
        this.opset = opset;
    }

    public long opset() {
        return opset;
    }

    public Scope root() {
        return root;
    }

    /** The graph or body that receives new operations. */
    public Scope current() {
        return current;
    }

    /** Records the file's name of a value, even if a lowering composed the value from others. */
    public void name(String name, Value value) {
        named.put(name, value);
    }

    /** The value with this name in the file's main graph. */
    public Optional<Value> named(String name) {
        return Optional.ofNullable(named.get(name));
    }

    public Value input(String name, TensorType type) {
        return value(name, new Value.Source.Input(), new ValueInfo(type, Optional.empty(), Optional.empty()));
    }

    /**
     * Creates a value for a tensor of the file; never merged with an equal one, because training may make them differ.
     */
    public Value initializer(TensorProto tensor) {
        return constant(tensor.getName(), tensor);
    }

    /** Creates a constant; equal constants are merged. */
    public Value constant(TensorProto tensor) {
        return constants.computeIfAbsent(
                tensor,
                t -> constant("", t.toBuilder().clearName().clearDocString().build()));
    }

    private Value constant(String name, TensorProto tensor) {
        ValueInfo known = OpInference.constant(tensor);
        return new Value(ids++, name, root, new Value.Source.Constant(tensor), known.type(), known.integers());
    }

    /** Creates an operation of ONNX's own domain and returns its first output. */
    public Value op(String type, Attributes attributes, Value... inputs) {
        return op(Op.Spec.of(type, attributes, Arrays.asList(inputs)), 1).output();
    }

    public Op op(Op.Spec spec, int outputs) {
        return op(spec, outputs, List.of(), List.of());
    }

    /**
     * @param outputs minimum number; the operation has more if its operator has useful optional outputs
     * @param names of the outputs; may be shorter
     * @param stated output types that a file declares; may be shorter
     */
    public Op op(Op.Spec spec, int outputs, List<String> names, List<TensorType> stated) {
        spec.inputs().stream().filter(Objects::nonNull).forEach(this::visible);
        boolean shared = spec.bodies().isEmpty() && !RANDOM.contains(spec.type());
        if (shared) {
            Op there = find(spec);
            if (there != null && there.outputs().size() >= outputs) {
                return there;
            }
        }
        var op = new Op(ids++, spec, current);
        op.outputs(results(op, Math.max(outputs, OptionalOutputs.minimumCount(spec)), names, stated));
        if (shared) {
            made.put(key(current, spec), op);
        }
        return op;
    }

    private Op find(Op.Spec spec) {
        for (Scope scope = current; scope != null; scope = withoutOuterReuse ? null : scope.outer()) {
            Op there = made.get(key(scope, spec));
            if (there != null) {
                return there;
            }
        }
        return null;
    }

    private static Key key(Scope scope, Op.Spec spec) {
        return new Key(scope, spec.domain(), spec.type(), spec.attributes(), spec.inputs());
    }

    private void visible(Value value) {
        if (!current.sees(value.scope())) {
            throw new IllegalStateException(value + " is not visible in scope " + current.id());
        }
    }

    private List<Value> results(Op op, int count, List<String> names, List<TensorType> stated) {
        List<ValueInfo> known =
                op.bodies().isEmpty() ? infer(op, count, stated) : ControlFlowTypes.of(op, count, stated);
        var values = new ArrayList<Value>(count);
        for (int i = 0; i < count; i++) {
            String name = i < names.size() ? names.get(i) : "";
            values.add(value(name, new Value.Source.Result(op, i), known.get(i)));
        }
        return values;
    }

    private List<ValueInfo> infer(Op op, int count, List<TensorType> stated) {
        var inputs = new ArrayList<ValueInfo>();
        var names = new ArrayList<String>();
        for (Value input : op.inputs()) {
            names.add(input == null ? "" : "v" + input.id());
            inputs.add(input == null ? NOTHING : known(input));
        }
        var outputs = IntStream.range(0, count).mapToObj(i -> "o" + i).toList();
        var node = new Node(
                op.name(),
                op.domain(),
                op.type(),
                "",
                names,
                outputs,
                op.attributes().values(),
                Map.of());
        return OpInference.infer(new OpContext(node, opset, inputs), stated);
    }

    private static final ValueInfo NOTHING = new ValueInfo(TensorType.UNKNOWN, Optional.empty(), Optional.empty());

    private static ValueInfo known(Value value) {
        return new ValueInfo(value.type(), value.integers(), value.constant());
    }

    /**
     * Runs the supplier without reusing equal operations of enclosing graphs. New operations then belong to the current
     * graph, which differentiation of that graph requires.
     */
    <T> T withoutOuterReuse(Supplier<T> made) {
        boolean before = withoutOuterReuse;
        withoutOuterReuse = true;
        try {
            return made.get();
        } finally {
            withoutOuterReuse = before;
        }
    }

    private Value value(String name, Value.Source source, ValueInfo known) {
        return new Value(ids++, name, current, source, known.type(), known.integers());
    }

    /**
     * Creates a body and runs {@code inside} in its scope.
     *
     * @param inside maps the parameters to the outputs
     */
    public Body body(List<TensorType> parameters, Function<List<Value>, List<Value>> inside) {
        Scope outer = current;
        current = new Scope(++scopes, outer);
        try {
            var given = new ArrayList<Value>();
            parameters.forEach(type -> given.add(input("", type)));
            List<Value> outputs = inside.apply(given);
            return new Body(current, given, outputs);
        } finally {
            current = outer;
        }
    }
}
