package io.knabla.functions.autodiff;

import io.knabla.functions.autodiff.rules.Families;
import io.knabla.functions.graph.ssa.Op;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The one table of derivative rules, by operator. */
public final class Rules {
    /** Stands for: nothing flows back through this operation, and that is right. */
    public static final Rule STOP = (_, _, _) -> List.of();

    public static final Rules STANDARD = standard();

    private final Map<String, Rule> rules;

    private Rules(Map<String, Rule> rules) {
        this.rules = Collections.unmodifiableMap(rules);
    }

    private static Rules standard() {
        var table = new HashMap<String, Rule>();
        Families.register(table);
        return new Rules(table);
    }

    Optional<Rule> of(Op op) {
        return Optional.ofNullable(rules.get(key(op)));
    }

    /** Whether its results do not depend on its operands smoothly anywhere: comparisons, shapes, rounding. */
    boolean stops(Op op) {
        return rules.get(key(op)) == STOP;
    }

    public Set<String> operators() {
        return rules.keySet();
    }

    private static String key(Op op) {
        return op.domain().isEmpty() ? op.type() : op.domain() + "." + op.type();
    }
}
