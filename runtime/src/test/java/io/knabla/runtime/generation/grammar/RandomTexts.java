package io.knabla.runtime.generation.grammar;

import io.knabla.runtime.generation.grammar.Grammars.Opened;
import io.knabla.runtime.generation.grammar.schema.JsonValue;
import io.knabla.runtime.generation.grammar.schema.JsonValueReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Texts of a grammar whose tokens are chosen at random among those that are not excluded. */
final class RandomTexts {
    private static final int MOST_TOKENS = 3000;

    private RandomTexts() {}

    static Opened open(TokenVocabulary vocabulary, String schema) {
        return new Grammars(vocabulary).schema(value(schema), false);
    }

    static TokenGrammar grammar(TokenVocabulary vocabulary, String schema) {
        return switch (open(vocabulary, schema)) {
            case Opened.Usable(var grammar) -> grammar;
            case Opened.Refused(var faults) -> throw new AssertionError(schema + ": " + faults);
        };
    }

    static List<String> faults(String schema) {
        return switch (open(TestVocabularies.small(), schema)) {
            case Opened.Usable _ -> List.of();
            case Opened.Refused(var faults) -> faults;
        };
    }

    static JsonValue value(String json) {
        byte[] document = ("{\"x\":" + json + "}").getBytes(StandardCharsets.UTF_8);
        try {
            return JsonValueReader.field(document, document.length, "x").orElseThrow();
        } catch (IOException bad) {
            throw new AssertionError(json, bad);
        }
    }

    /** Tokens that may follow, the end included. */
    static int[] allowed(GrammarText text, int size) {
        float[] logits = new float[size];
        text.mask(logits);
        return IntStream.range(0, size).filter(id -> logits[id] == 0).toArray();
    }

    /** A text that ended by itself; empty for one that was still going on. */
    static Optional<String> text(TokenGrammar grammar, TokenVocabulary vocabulary, Random random) {
        GrammarText text = grammar.text();
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < MOST_TOKENS; i++) {
            if (text.isAtItsEnd()) {
                return Optional.of(bytes.toString(StandardCharsets.UTF_8));
            }
            int[] allowed = allowed(text, vocabulary.size());
            if (allowed.length == 0) {
                throw new AssertionError("nothing may follow " + bytes);
            }
            int token = allowed[0] == TestVocabularies.END && random.nextInt(4) == 0
                    ? TestVocabularies.END
                    : chosen(allowed, vocabulary, random);
            if (token == TestVocabularies.END) {
                return Optional.of(bytes.toString(StandardCharsets.UTF_8));
            }
            bytes.writeBytes(vocabulary.bytes(token));
            text.add(token);
        }
        return Optional.empty();
    }

    /** Ends of strings and containers more often than what fills them. */
    private static int chosen(int[] allowed, TokenVocabulary vocabulary, Random random) {
        int[] ends = IntStream.of(allowed)
                .filter(id -> id > 0 && "\"]}".indexOf(vocabulary.bytes(id)[0]) >= 0)
                .toArray();
        int[] among = ends.length > 0 && random.nextInt(4) == 0 ? ends : allowed;
        return among[random.nextInt(among.length)];
    }
}
