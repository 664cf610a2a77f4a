package io.knabla.functions.tokenizer.pattern;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of a tokenizer, written for Oniguruma, run by {@code java.util.regex}. Only syntax that means
 * the same in both is accepted, and no loop over a group, which would recurse once per character. Immutable.
 */
public final class SafeRegex {
    private static final int FLAGS =
            Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE | Pattern.UNIX_LINES | Pattern.MULTILINE;

    private final Pattern pattern;

    private SafeRegex(Pattern pattern) {
        this.pattern = pattern;
    }

    /** @throws IllegalArgumentException with the reason, if the expression is malformed or not supported */
    public static SafeRegex compile(String source) {
        try {
            return new SafeRegex(Pattern.compile(OnigurumaSyntax.toJava(source), FLAGS));
        } catch (PatternSyntaxException bad) {
            throw new IllegalArgumentException(bad.getDescription(), bad);
        }
    }

    /**
     * Finds matches in the part of a text from {@code from} to {@code to}, as if nothing surrounded it.
     *
     * <p>The matcher throws {@link TooMuchWorkException} when it has read that part more than 512 times.
     */
    public Matcher matcher(CharSequence text, int from, int to) {
        return pattern.matcher(new BudgetedText(text, to - from)).region(from, to);
    }
}
