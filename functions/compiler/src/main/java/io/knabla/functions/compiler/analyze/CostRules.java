package io.knabla.functions.compiler.analyze;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Registry of cost rules by operator, qualified with its domain unless that is ONNX's own. */
final class CostRules {
    private static final Map<String, CostRule> RULES = all();

    private CostRules() {}

    static Optional<CostRule> of(String qualifiedOp) {
        return Optional.ofNullable(RULES.get(qualifiedOp));
    }

    private static Map<String, CostRule> all() {
        var rules = new HashMap<String, CostRule>();
        ElementCosts.register(rules);
        ProductCosts.register(rules);
        SequenceCosts.register(rules);
        return Map.copyOf(rules);
    }
}
