package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.pattern.SafeRegex;
import io.knabla.functions.tokenizer.spec.Behavior;
import io.knabla.functions.tokenizer.spec.PreTokenizer;
import io.knabla.functions.tokenizer.spec.PrependScheme;
import io.knabla.functions.tokenizer.spec.TextPattern;
import java.util.function.IntPredicate;

/** Splits texts as pre-tokenizers say. */
public final class TextSplitter {
    private static final TextPattern GPT2 = new TextPattern.Regex(
            SafeRegex.compile("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"));

    private TextSplitter() {}

    /** A receiver that splits what it gets, and passes the pieces on to {@code next}. */
    public static Pieces into(PreTokenizer preTokenizer, Pieces next) {
        return switch (preTokenizer) {
            case PreTokenizer.ByteLevel(var space, var split) -> byteLevel(space, split, next);
            case PreTokenizer.Split(var pattern, var behavior, var invert) -> pattern(pattern, behavior, invert, next);
            case PreTokenizer.Words _ -> words(next);
            case PreTokenizer.WhitespaceSplit _ -> characters(Characters::isWhite, Behavior.REMOVED, next);
            case PreTokenizer.Bert _ ->
                characters(
                        Characters::isWhite,
                        Behavior.REMOVED,
                        characters(Characters::isPunctuation, Behavior.ISOLATED, next));
            case PreTokenizer.Metaspace metaspace -> metaspace(metaspace, next);
            case PreTokenizer.Digits(var individual) ->
                characters(Characters::isNumeric, individual ? Behavior.ISOLATED : Behavior.CONTIGUOUS, next);
            case PreTokenizer.Punctuation(var behavior) -> characters(Characters::isPunctuation, behavior, next);
            case PreTokenizer.Sequence(var steps) -> {
                Pieces first = next;
                for (PreTokenizer step : steps.reversed()) {
                    first = into(step, first);
                }
                yield first;
            }
        };
    }

    private static Pieces pattern(TextPattern pattern, Behavior behavior, boolean invert, Pieces next) {
        return (text, from, to, first) -> {
            var joiner = new MatchJoiner(behavior, invert, next, text, from, first);
            Matches.find(pattern, text, from, to, joiner);
            joiner.flush();
        };
    }

    private static Pieces characters(IntPredicate characters, Behavior behavior, Pieces next) {
        return (text, from, to, first) -> {
            var joiner = new MatchJoiner(behavior, false, next, text, from, first);
            Matches.find(characters, text, from, to, joiner);
            joiner.flush();
        };
    }

    private static Pieces words(Pieces next) {
        Pieces runs = characters(Characters::isWord, Behavior.CONTIGUOUS, next);
        return characters(Characters::isWhite, Behavior.REMOVED, runs);
    }

    private static Pieces byteLevel(boolean space, boolean split, Pieces next) {
        Pieces bytes = (text, from, to, first) -> {
            var written = new StringBuilder((to - from) * 2);
            ByteAlphabet.append(text, from, to, written);
            next.piece(written.toString(), 0, written.length(), first);
        };
        Pieces pieces = split ? pattern(GPT2, Behavior.ISOLATED, false, bytes) : bytes;
        return !space
                ? pieces
                : (text, from, to, first) -> {
                    if (text.charAt(from) == ' ') {
                        pieces.piece(text, from, to, first);
                    } else {
                        pieces.piece(" " + text.substring(from, to), 0, to - from + 1, first);
                    }
                };
    }

    private static Pieces metaspace(PreTokenizer.Metaspace options, Pieces next) {
        String mark = Character.toString(options.replacement());
        Pieces pieces =
                options.split() ? pattern(new TextPattern.Literal(mark), Behavior.MERGED_WITH_NEXT, false, next) : next;
        return (text, from, to, first) -> {
            String written = text.substring(from, to).replace(" ", mark);
            boolean prepends =
                    options.prepend() == PrependScheme.ALWAYS || options.prepend() == PrependScheme.FIRST && first;
            String whole = prepends && !written.startsWith(mark) ? mark + written : written;
            pieces.piece(whole, 0, whole.length(), first);
        };
    }
}
