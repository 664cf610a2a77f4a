package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.spec.TextPattern;
import io.knabla.functions.tokenizer.spec.TextPattern.Literal;
import io.knabla.functions.tokenizer.spec.TextPattern.Regex;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;

/** Cuts a text into matches of a pattern and what is between them. */
public final class Matches {
    /** Receives the parts of a text in their order, without gaps. */
    interface Sink {
        void part(int from, int to, boolean match);
    }

    private Matches() {}

    static void find(TextPattern pattern, String text, int from, int to, Sink sink) {
        switch (pattern) {
            case Literal(var literal) -> literals(literal, text, from, to, sink);
            case Regex(var regex) -> regex(regex.matcher(text, from, to), from, to, sink);
        }
    }

    private static void literals(String literal, String text, int from, int to, Sink sink) {
        int done = from;
        int next = literal.isEmpty() ? -1 : text.indexOf(literal, done, to);
        while (next >= 0) {
            if (next > done) {
                sink.part(done, next, false);
            }
            done = next + literal.length();
            sink.part(next, done, true);
            next = text.indexOf(literal, done, to);
        }
        if (done < to) {
            sink.part(done, to, false);
        }
    }

    private static void regex(Matcher matcher, int from, int to, Sink sink) {
        int done = from;
        while (matcher.find()) {
            if (matcher.start() > done) {
                sink.part(done, matcher.start(), false);
            }
            done = matcher.end();
            sink.part(matcher.start(), done, true);
        }
        if (done < to) {
            sink.part(done, to, false);
        }
    }

    /** Each character (code point) of the class is a match of its own. */
    static void find(IntPredicate characters, String text, int from, int to, Sink sink) {
        int done = from;
        int at = from;
        while (at < to) {
            int c = text.codePointAt(at);
            int next = at + Character.charCount(c);
            if (characters.test(c)) {
                if (at > done) {
                    sink.part(done, at, false);
                }
                sink.part(at, next, true);
                done = next;
            }
            at = next;
        }
        if (done < to) {
            sink.part(done, to, false);
        }
    }

    /** The text with all matches replaced by {@code content}, which has no special characters. */
    public static String replace(TextPattern pattern, String text, String content) {
        var result = new StringBuilder(text.length());
        find(pattern, text, 0, text.length(), (from, to, match) -> {
            if (match) {
                result.append(content);
            } else {
                result.append(text, from, to);
            }
        });
        return result.toString();
    }
}
