package io.knabla.runtime.generation.grammar.pattern;

import io.knabla.runtime.generation.grammar.pattern.CharSet.Range;
import java.util.ArrayList;
import java.util.List;

/** Reads classes of characters and escapes of a regular expression; what they mean is as in ECMA-262. */
final class CharacterClasses {
    static final CharSet DOT = CharSet.of("\n\r\u2028\u2029").not();

    private static final CharSet DIGITS = CharSet.of('0', '9');
    private static final CharSet WORD =
            DIGITS.or(CharSet.of('A', 'Z')).or(CharSet.of('a', 'z')).or(CharSet.of("_"));
    private static final CharSet BLANKS = CharSet.of("\t\n\u000b\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff")
            .or(CharSet.of(0x2000, 0x200a));

    private final PatternParser parser;

    CharacterClasses(PatternParser parser) {
        this.parser = parser;
    }

    /** The rest of a list, after its opening bracket. */
    CharSet list() {
        boolean negated = parser.skips('^');
        List<Range> ranges = new ArrayList<>();
        while (!parser.skips(']')) {
            ranges.addAll(element().ranges());
        }
        CharSet all = CharSet.of(ranges);
        return negated ? all.not() : all;
    }

    private CharSet element() {
        CharSet first = member();
        if (!parser.skips('-')) {
            return first;
        }
        if (parser.isAt("]")) {
            return first.or(CharSet.of("-"));
        }
        int low = single(first);
        int high = single(member());
        if (low > high) {
            throw parser.unsupported("a range that ends before it begins");
        }
        return CharSet.of(low, high);
    }

    private int single(CharSet set) {
        if (set.ranges().size() != 1
                || set.ranges().getFirst().low() != set.ranges().getFirst().high()) {
            throw parser.unsupported("a range between classes");
        }
        return set.ranges().getFirst().low();
    }

    private CharSet member() {
        int one = parser.next();
        return one == '\\' ? escape(true) : CharSet.of(one, one);
    }

    /** The rest of an escape, after its backslash. */
    CharSet escape(boolean inList) {
        int one = parser.next();
        return switch (one) {
            case 'd' -> DIGITS;
            case 'D' -> DIGITS.not();
            case 'w' -> WORD;
            case 'W' -> WORD.not();
            case 's' -> BLANKS;
            case 'S' -> BLANKS.not();
            case 't' -> CharSet.of("\t");
            case 'n' -> CharSet.of("\n");
            case 'r' -> CharSet.of("\r");
            case 'f' -> CharSet.of("\f");
            case 'v' -> CharSet.of("\u000b");
            case 'x' -> of(parser.hexadecimal(2));
            case 'u' -> of(parser.hexadecimal(4));
            default -> literal(one, inList);
        };
    }

    private static CharSet of(int one) {
        return CharSet.of(one, one);
    }

    private CharSet literal(int one, boolean inList) {
        if (one < 0x80 && Character.isLetterOrDigit(one)) {
            throw parser.unsupported("the escape '\\%c'%s".formatted(one, inList ? " in a class" : ""));
        }
        return of(one);
    }
}
