package io.knabla.functions.compiler.ir;

import java.util.List;

/**
 * Subgraph of a control-flow operation. It uses values of enclosing graphs directly: {@link Op#captures()} finds them.
 */
public record Body(Scope scope, List<Value> parameters, List<Value> outputs) {
    public Body {
        parameters = List.copyOf(parameters);
        outputs = List.copyOf(outputs);
    }
}
