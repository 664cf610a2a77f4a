package io.knabla.functions.compiler.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Operation of a graph in SSA form. Only {@link Builder} creates it; equal only to itself. */
public final class Op {
    private final int id;
    private final String name;
    private final String domain;
    private final String type;
    private final Attributes attributes;
    private final List<Value> inputs;
    private final List<Value> presentInputs;
    private final Map<String, Body> bodies;
    private final Scope scope;
    private List<Value> outputs = List.of();
    private List<Value> captures;

    Op(int id, Spec spec, Scope scope) {
        this.id = id;
        this.name = spec.name();
        this.domain = spec.domain();
        this.type = spec.type();
        this.attributes = spec.attributes();
        this.inputs = spec.inputs();
        this.presentInputs = inputs.stream().filter(Objects::nonNull).toList();
        this.bodies = spec.bodies();
        this.scope = scope;
    }

    /**
     * Operator, attributes, inputs and bodies from which an operation is created.
     *
     * @param name name in the file, "" if there is none
     * @param inputs null for an omitted optional input
     */
    public record Spec(
            String name,
            String domain,
            String type,
            Attributes attributes,
            List<Value> inputs,
            Map<String, Body> bodies) {

        public Spec {
            inputs = Collections.unmodifiableList(trimmed(inputs));
        }

        public static Spec of(String type, Attributes attributes, List<Value> inputs) {
            return new Spec("", "", type, attributes, inputs, Map.of());
        }

        private static List<Value> trimmed(List<Value> inputs) {
            int size = inputs.size();
            while (size > 0 && inputs.get(size - 1) == null) {
                size--;
            }
            return new ArrayList<>(inputs.subList(0, size));
        }
    }

    void outputs(List<Value> made) {
        outputs = List.copyOf(made);
    }

    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    /** Domain of the operator; "" is ONNX's own. */
    public String domain() {
        return domain;
    }

    public String type() {
        return type;
    }

    public boolean is(String opType) {
        return type.equals(opType) && domain.isEmpty();
    }

    public Attributes attributes() {
        return attributes;
    }

    public List<Value> inputs() {
        return inputs;
    }

    /** The input, or null if it is omitted. */
    public Value input(int index) {
        return index < inputs.size() ? inputs.get(index) : null;
    }

    public boolean has(int input) {
        return input(input) != null;
    }

    /** All outputs that the operator can have; export omits the optional ones that nothing uses. */
    public List<Value> outputs() {
        return outputs;
    }

    public Value output() {
        return outputs.getFirst();
    }

    public Value output(int index) {
        return outputs.get(index);
    }

    public Map<String, Body> bodies() {
        return bodies;
    }

    public Body body(String attribute) {
        Body body = bodies.get(attribute);
        if (body == null) {
            throw new UnsupportedOperatorException("its graph '" + attribute + "' is missing");
        }
        return body;
    }

    public Scope scope() {
        return scope;
    }

    /** Values of enclosing graphs that its bodies use, in order of first use. */
    public List<Value> captures() {
        if (captures == null) {
            Set<Value> found = new LinkedHashSet<>();
            bodies.values().forEach(body -> Reachability.captures(body, found));
            captures = List.copyOf(found);
        }
        return captures;
    }

    /** All values that it reads: inputs, then captures. */
    public List<Value> operands() {
        if (bodies.isEmpty()) {
            return inputs;
        }
        var all = new ArrayList<>(inputs);
        all.addAll(captures());
        return all;
    }

    /** Inputs that are not omitted. */
    public List<Value> presentInputs() {
        return presentInputs;
    }

    @Override
    public String toString() {
        String op = domain.isEmpty() ? type : domain + "." + type;
        return name.isEmpty() ? op + " #" + id : op + " '" + name + "'";
    }
}
