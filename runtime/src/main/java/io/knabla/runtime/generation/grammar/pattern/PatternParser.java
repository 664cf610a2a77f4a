package io.knabla.runtime.generation.grammar.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the regular part of ECMA-262's expressions, as JSON Schema writes patterns: characters, classes, groups,
 * alternatives and bounded repetitions. Look-arounds, references to groups, boundaries of words and Unicode's
 * properties are refused; anchors may stand at the ends of an expression.
 */
public final class PatternParser {
    private static final int LONGEST = 16_384;
    private static final int DEEPEST = 32;
    private static final int MOST_REPETITIONS = 1000;

    private final String text;
    private int at;
    private int depth;

    private PatternParser(String text) {
        this.text = text;
    }

    /**
     * Texts in which the expression is found: without anchors anything may stand around it.
     *
     * @throws BadPatternException if it cannot be read
     */
    public static Pattern parse(String expression) {
        if (expression.length() > LONGEST) {
            throw new BadPatternException("it has more than %d characters".formatted(LONGEST));
        }
        return new PatternParser(expression).whole();
    }

    private Pattern whole() {
        List<Pattern> options = new ArrayList<>();
        do {
            List<Pattern> parts = new ArrayList<>();
            if (!take('^')) {
                parts.add(Pattern.ANYTHING);
            }
            parts.add(sequence());
            if (!take('$')) {
                parts.add(Pattern.ANYTHING);
            }
            options.add(new Pattern.Sequence(parts));
        } while (take('|'));
        if (at < text.length()) {
            throw wrong(text.charAt(at) == ')' ? "a ')' without '('" : "an anchor that is not at an end");
        }
        return new Pattern.Choice(options);
    }

    private BadPatternException wrong(String what) {
        return new BadPatternException("%s at character %d".formatted(what, at + 1));
    }

    private boolean take(char expected) {
        boolean there = at < text.length() && text.charAt(at) == expected;
        at += there ? 1 : 0;
        return there;
    }

    /** Whether the next character is one of these. */
    boolean isAt(String any) {
        return at < text.length() && any.indexOf(text.charAt(at)) >= 0;
    }

    private Pattern choice() {
        List<Pattern> options = new ArrayList<>();
        do {
            options.add(sequence());
        } while (take('|'));
        return options.size() == 1 ? options.getFirst() : new Pattern.Choice(options);
    }

    private Pattern sequence() {
        List<Pattern> parts = new ArrayList<>();
        while (at < text.length() && !isAt("|)$")) {
            parts.add(repeated(part()));
        }
        return new Pattern.Sequence(parts);
    }

    private Pattern part() {
        if (take('(')) {
            return group();
        }
        if (isAt("^*+?{}]")) {
            throw wrong("a '%s' that repeats nothing or closes nothing, or is no anchor".formatted(text.charAt(at)));
        }
        if (take('.')) {
            return new Pattern.One(CharacterClasses.DOT);
        }
        if (take('[')) {
            return new Pattern.One(new CharacterClasses(this).list());
        }
        return new Pattern.One(take('\\') ? new CharacterClasses(this).escape(false) : literal());
    }

    private CharSet literal() {
        int one = next();
        return CharSet.of(one, one);
    }

    private Pattern group() {
        if (take('?') && !take(':')) {
            throw wrong("a group that looks around or has a name or flags, which is not supported,");
        }
        if (++depth > DEEPEST) {
            throw wrong("a group within %d others".formatted(DEEPEST));
        }
        Pattern inner = choice();
        depth--;
        if (!take(')')) {
            throw wrong("a group that is not closed, or has an anchor,");
        }
        return inner;
    }

    private Pattern repeated(Pattern part) {
        Pattern repeated = part;
        if (take('*')) {
            repeated = new Pattern.Repeat(part, 0, Pattern.Repeat.UNBOUNDED);
        } else if (take('+')) {
            repeated = new Pattern.Repeat(part, 1, Pattern.Repeat.UNBOUNDED);
        } else if (take('?')) {
            repeated = new Pattern.Repeat(part, 0, 1);
        } else if (take('{')) {
            repeated = counted(part);
        } else {
            return part;
        }
        // Which of several repetitions is tried first does not change what is found.
        take('?');
        return repeated;
    }

    private Pattern counted(Pattern part) {
        int least = number();
        int most = least;
        if (take(',')) {
            most = isAt("}") ? Pattern.Repeat.UNBOUNDED : number();
        }
        if (!take('}') || most >= 0 && most < least) {
            throw wrong("a repetition that is not {n}, {n,} or {n,m}");
        }
        return new Pattern.Repeat(part, least, most);
    }

    private int number() {
        int from = at;
        while (isAt("0123456789") && at - from < 5) {
            at++;
        }
        int number = at == from ? -1 : Integer.parseInt(text.substring(from, at));
        if (number < 0 || number > MOST_REPETITIONS) {
            throw wrong("a repetition whose number is not 0 to %d".formatted(MOST_REPETITIONS));
        }
        return number;
    }

    /** The next character. */
    int next() {
        if (at == text.length()) {
            throw wrong("an end within a class or an escape");
        }
        int one = text.codePointAt(at);
        at += Character.charCount(one);
        return one;
    }

    boolean skips(char expected) {
        return take(expected);
    }

    /** So many hexadecimal digits. */
    int hexadecimal(int digits) {
        int end = at + digits;
        if (end > text.length() || !text.substring(at, end).chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            throw wrong("an escape without %d hexadecimal digits".formatted(digits));
        }
        int value = Integer.parseInt(text.substring(at, end), 16);
        at = end;
        return value;
    }

    BadPatternException unsupported(String what) {
        return wrong(what + ", which is not supported,");
    }
}
