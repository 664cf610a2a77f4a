package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** States that read arrays. */
final class ArrayRules {
    /** A larger bound is as good as this one: no text of a model has as many items. */
    private static final int MOST = 4096;

    private final AutomatonBuilder automaton;
    private final Rules rules;

    ArrayRules(AutomatonBuilder automaton, Rules rules) {
        this.automaton = automaton;
        this.rules = rules;
    }

    /**
     * Items of an array.
     *
     * @param first states that read the first items, one for each
     * @param rest state that reads any further one; empty if there are none
     * @param most -1 for any number
     */
    record Shape(List<Integer> first, Optional<Integer> rest, int least, int most) {
        int rule(int index) {
            return index < first.size() ? first.get(index) : rest.orElseThrow();
        }
    }

    int array(Keywords schema) {
        List<Integer> first = new ArrayList<>();
        List<JsonValue> prefix = schema.items("prefixItems");
        for (int i = 0; i < prefix.size(); i++) {
            first.add(rules.rule(prefix.get(i), schema.pointer("prefixItems", Integer.toString(i))));
        }
        Optional<Integer> rest = rest(schema, !prefix.isEmpty());
        int least = schema.count("minItems").orElse(0);
        int most = schema.count("maxItems").orElse(-1);
        most = rest.isEmpty() ? (most < 0 ? first.size() : Math.min(most, first.size())) : Math.min(most, MOST);
        if (least > MOST || most >= 0 && least > most) {
            schema.fault("minItems", "it must be at most the number of items that are allowed, and %d", MOST);
            return automaton.state();
        }
        return array(new Shape(first, rest, least, most));
    }

    /** Without a schema for them, there are no items after those of prefixItems. */
    private Optional<Integer> rest(Keywords schema, boolean hasPrefix) {
        Optional<JsonValue> items = schema.value("items");
        if (items.isEmpty()) {
            return hasPrefix ? Optional.empty() : Optional.of(rules.anyValue());
        }
        boolean none = items.get() instanceof JsonValue.Flag(var allowed) && !allowed;
        return none ? Optional.empty() : Optional.of(rules.rule(items.get(), schema.pointer("items")));
    }

    int array(Shape shape) {
        int start = automaton.state();
        int end = automaton.state();
        automaton.accept(end);
        int open = automaton.state();
        automaton.bytes(start, '[', '[', open);
        if (shape.least() == 0) {
            automaton.bytes(open, ']', ']', end);
        }
        if (shape.most() != 0) {
            items(shape, open, end);
        }
        return start;
    }

    private void items(Shape shape, int open, int end) {
        int repeating = Math.max(1, Math.max(shape.least(), shape.first().size()));
        int last = shape.most() < 0 ? repeating : shape.most();
        var chain = new RepetitionStates(automaton, shape.least(), shape.most());
        var separators = new RepetitionStates(automaton, shape.least(), shape.most());
        int at = next(shape, chain, 1);
        automaton.call(open, shape.rule(0), at);
        for (int count = 1; count <= last; count++) {
            if (count >= shape.least()) {
                automaton.bytes(at, ']', ']', end);
            }
            boolean isLast = count == last;
            if (isLast && shape.most() >= 0) {
                return;
            }
            int separated = count < shape.first().size() ? automaton.state() : separators.state(count);
            int next = isLast ? at : next(shape, chain, count + 1);
            automaton.bytes(at, ',', ',', separated);
            automaton.call(rules.afterBlank(separated), shape.rule(count), next);
            at = next;
        }
    }

    /** States among items of different schemas are like no others. */
    private int next(Shape shape, RepetitionStates chain, int count) {
        return count < shape.first().size() ? automaton.state() : chain.state(count);
    }
}
