package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.spec.Normalizer;
import java.util.function.IntPredicate;

/** Applies normalizers. */
public final class Normalization {
    private Normalization() {}

    public static String apply(Normalizer normalizer, String text) {
        return switch (normalizer) {
            case Normalizer.Unicode(var form) -> java.text.Normalizer.normalize(text, form);
            case Normalizer.Lowercase _ -> lowercase(text);
            case Normalizer.StripAccents _ -> without(text, Characters::isMark);
            case Normalizer.Strip(var left, var right) -> strip(text, left, right);
            case Normalizer.Replace(var pattern, var content) -> Matches.replace(pattern, text, content);
            case Normalizer.Prepend(var prefix) -> text.isEmpty() ? text : prefix + text;
            case Normalizer.Bert bert -> bert(bert, text);
            case Normalizer.Precompiled precompiled -> new Precompiled(precompiled).apply(text);
            case Normalizer.Sequence(var steps) -> {
                String result = text;
                for (Normalizer step : steps) {
                    result = apply(step, result);
                }
                yield result;
            }
        };
    }

    /** Changes each character alone: a final sigma becomes an ordinary one. */
    private static String lowercase(String text) {
        var result = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == 'İ') {
                result.append("i\u0307");
            } else {
                result.appendCodePoint(Character.toLowerCase(c));
            }
        });
        return result.toString();
    }

    private static String without(String text, IntPredicate removed) {
        if (text.codePoints().noneMatch(removed)) {
            return text;
        }
        var result = new StringBuilder(text.length());
        text.codePoints().filter(removed.negate()).forEach(result::appendCodePoint);
        return result.toString();
    }

    private static String strip(String text, boolean left, boolean right) {
        int from = 0;
        int to = text.length();
        while (left && from < to && Characters.isWhite(text.charAt(from))) {
            from++;
        }
        while (right && to > from && Characters.isWhite(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static String bert(Normalizer.Bert options, String text) {
        String result = options.cleanText() ? clean(text) : text;
        result = options.spaceChinese() ? spaced(result) : result;
        if (options.stripAccents()) {
            String decomposed = java.text.Normalizer.normalize(result, java.text.Normalizer.Form.NFD);
            result = without(decomposed, Characters::isNonspacingMark);
        }
        return options.lowercase() ? lowercase(result) : result;
    }

    private static String clean(String text) {
        var result = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            boolean white = Characters.isWhite(c);
            boolean removed =
                    c == 0 || c == 0xfffd || Characters.isOther(c) && (c < '\t' || c > '\r' || c == 0xb || c == 0xc);
            if (!removed) {
                result.appendCodePoint(white ? ' ' : c);
            }
        });
        return result.toString();
    }

    private static String spaced(String text) {
        if (text.codePoints().noneMatch(Characters::isChinese)) {
            return text;
        }
        var result = new StringBuilder(text.length() * 2);
        text.codePoints().forEach(c -> {
            if (Characters.isChinese(c)) {
                result.append(' ').appendCodePoint(c).append(' ');
            } else {
                result.appendCodePoint(c);
            }
        });
        return result.toString();
    }
}
