package io.knabla.functions.graph.ssa;

import java.util.List;

/** A subgraph. Values of the graphs around it are simply used: {@link Op#captures()} finds them. */
public record Body(Scope scope, List<Value> parameters, List<Value> outputs) {
    public Body {
        parameters = List.copyOf(parameters);
        outputs = List.copyOf(outputs);
    }
}
