package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import io.knabla.runtime.generation.grammar.automaton.PushdownAutomaton;
import io.knabla.runtime.generation.grammar.automaton.TooLargeException;
import java.util.List;
import java.util.Map;

/**
 * Compiles JSON Schema to automata. What they write is JSON (RFC 8259) and valid, but not all that is: properties stand
 * in the order of the schema, characters are escaped only where they must be, and blanks are single, after commas and
 * colons.
 */
public final class SchemaCompiler {
    private static final JsonValue ANYTHING = new JsonValue.Fields(Map.of());

    private SchemaCompiler() {}

    /** What became of a schema. */
    public sealed interface Compiled {
        record Valid(PushdownAutomaton automaton) implements Compiled {}

        /** @param faults all of them, each with the JSON pointer of its place within the schema */
        record Refused(List<String> faults) implements Compiled {}
    }

    /**
     * Compiles a schema, with bounded work.
     *
     * @param strict whether each object must name all its properties, as OpenAI's flag of this name asks
     * @param automaton an empty one
     */
    public static Compiled compile(JsonValue schema, boolean strict, AutomatonBuilder automaton) {
        var faults = new SchemaFaults();
        try {
            int start = new Rules(schema, strict, automaton, faults).rule(schema, "#");
            return faults.all().isEmpty() ? built(automaton, start) : new Compiled.Refused(faults.all());
        } catch (TooLargeException large) {
            faults.add("#", "%s; make the schema smaller", large.getMessage());
            return new Compiled.Refused(faults.all());
        }
    }

    /** Compiles an object with any properties. */
    public static Compiled anyObject(AutomatonBuilder automaton) {
        return built(automaton, new Rules(ANYTHING, false, automaton, new SchemaFaults()).anyObject());
    }

    private static Compiled built(AutomatonBuilder automaton, int start) {
        PushdownAutomaton built = automaton.build(start);
        return built.hasText()
                ? new Compiled.Valid(built)
                : new Compiled.Refused(List.of(
                        "#: no value of it can be written: it has no end, nests deeper than %d, or needs characters that the model's tokens lack"
                                .formatted(PushdownAutomaton.DEEPEST)));
    }
}
