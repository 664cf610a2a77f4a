package io.knabla.runtime.generation.grammar;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import io.knabla.runtime.generation.grammar.automaton.PushdownAutomaton;
import io.knabla.runtime.generation.grammar.schema.JsonText;
import io.knabla.runtime.generation.grammar.schema.JsonValue;
import io.knabla.runtime.generation.grammar.schema.SchemaCompiler;
import io.knabla.runtime.generation.grammar.schema.SchemaCompiler.Compiled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Grammars of one model. Those used last are kept, with their masks. Safe for use by several threads. */
public final class Grammars {
    private static final int MOST_KEPT = 8;
    private static final int LONGEST_KEPT = 1 << 16;
    private static final float LOAD = 0.75f;

    /** Some hundred masks of a large vocabulary. */
    private static final long MOST_MASK_BYTES = 16L << 20;

    private final TokenVocabulary vocabulary;
    private final MaskCache masks = new MaskCache(MOST_MASK_BYTES);
    private final LinkedHashMap<Source, TokenGrammar> kept = new LinkedHashMap<>(2 * MOST_KEPT, LOAD, true);

    /** @param schema as text, for the order of its fields matters */
    private record Source(String schema, boolean strict) {
        static final Source ANY_OBJECT = new Source("", false);
    }

    /** A grammar, or why there is none. */
    public sealed interface Opened {
        record Usable(TokenGrammar grammar) implements Opened {}

        /** @param faults each with the JSON pointer of its place within the schema */
        record Refused(List<String> faults) implements Opened {}
    }

    public Grammars(TokenVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /**
     * The grammar of a JSON schema.
     *
     * @param strict whether each object must name all its properties, as OpenAI's flag of this name asks
     */
    public Opened schema(JsonValue schema, boolean strict) {
        var source = new Source(JsonText.of(schema), strict);
        Optional<TokenGrammar> known = known(source);
        if (known.isPresent()) {
            return new Opened.Usable(known.get());
        }
        return switch (SchemaCompiler.compile(schema, strict, automaton())) {
            case Compiled.Valid(var automaton) -> keep(source, automaton);
            case Compiled.Refused(var faults) -> new Opened.Refused(faults);
        };
    }

    /** The grammar of a JSON object with any properties. */
    public Opened anyObject() {
        Optional<TokenGrammar> known = known(Source.ANY_OBJECT);
        if (known.isPresent()) {
            return new Opened.Usable(known.get());
        }
        return switch (SchemaCompiler.anyObject(automaton())) {
            case Compiled.Valid(var automaton) -> keep(Source.ANY_OBJECT, automaton);
            case Compiled.Refused(var faults) -> new Opened.Refused(faults);
        };
    }

    private AutomatonBuilder automaton() {
        return new AutomatonBuilder(vocabulary.alphabet(), TokenTree.LONGEST);
    }

    private synchronized Optional<TokenGrammar> known(Source source) {
        return Optional.ofNullable(kept.get(source));
    }

    private synchronized Opened keep(Source source, PushdownAutomaton automaton) {
        var grammar = new TokenGrammar(automaton, vocabulary, masks);
        if (source.schema().length() <= LONGEST_KEPT) {
            kept.put(source, grammar);
        }
        while (kept.size() > MOST_KEPT) {
            kept.remove(kept.firstEntry().getKey());
        }
        return new Opened.Usable(grammar);
    }
}
