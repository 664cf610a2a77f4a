package io.knabla.functions.tokenizer.pattern;

/** Translates an expression of Oniguruma (Ruby syntax) to {@code java.util.regex}, and refuses what differs. */
final class OnigurumaSyntax {
    private static final int LONGEST = 8192;
    private static final int DEEPEST = 32;

    /** Oniguruma's word characters are Java's without the zero-width joiners. */
    private static final String WORD = "[\\p{IsAlphabetic}\\p{M}\\p{Nd}\\p{Pc}]";

    private static final String[] GROUPS = {"(?:", "(?i:", "(?=", "(?!", "("};

    private final String in;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int groups;
    private int classes;

    private OnigurumaSyntax(String in) {
        this.in = in;
    }

    static String toJava(String source) {
        if (source.isEmpty() || source.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "it has %d characters; allowed are 1 to %d".formatted(source.length(), LONGEST));
        }
        var syntax = new OnigurumaSyntax(source);
        while (syntax.at < source.length()) {
            syntax.next();
        }
        return syntax.out.toString();
    }

    private void next() {
        char c = in.charAt(at);
        if (c == '\\') {
            escape();
        } else if (classes > 0) {
            inClass(c);
        } else {
            outside(c);
        }
    }

    private void outside(char c) {
        switch (c) {
            case '(' -> openGroup();
            case ')' -> closeGroup();
            case '[' -> openClass();
            case '{' -> bounds();
            default -> copy(1);
        }
    }

    private void inClass(char c) {
        switch (c) {
            case '[' -> openClass();
            case ']' -> {
                classes--;
                copy(1);
            }
            default -> copy(1);
        }
    }

    private void copy(int characters) {
        out.append(in, at, at + characters);
        at += characters;
    }

    private void openGroup() {
        for (String group : GROUPS) {
            if (in.startsWith(group, at) && (group.length() > 1 || !in.startsWith("(?", at))) {
                nest(++groups);
                copy(group.length());
                return;
            }
        }
        throw unsupported("the group '" + in.substring(at, Math.min(in.length(), at + 4)) + "'");
    }

    private void closeGroup() {
        groups--;
        copy(1);
        if (at < in.length() && "*+{".indexOf(in.charAt(at)) >= 0) {
            throw unsupported("a repeated group");
        }
        if (in.startsWith("??", at) || in.startsWith("?+", at)) {
            throw unsupported("a lazy or possessive group");
        }
    }

    private void openClass() {
        nest(++classes);
        if (in.startsWith("[:", at)) {
            throw unsupported("a POSIX bracket '[:'");
        }
        copy(in.startsWith("[^", at) ? 2 : 1);
        if (at < in.length() && in.charAt(at) == ']') {
            throw unsupported("']' as the first character of a class");
        }
    }

    private void nest(int depth) {
        if (depth > DEEPEST) {
            throw unsupported("nesting deeper than " + DEEPEST);
        }
    }

    /** In Ruby syntax {@code {1,3}+} repeats the repetition, in Java it is possessive. */
    private void bounds() {
        int end = in.indexOf('}', at);
        if (end < 0 || !in.substring(at + 1, end).matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            throw unsupported("'{' other than {m}, {m,} and {m,n}");
        }
        copy(end + 1 - at);
        if (at < in.length() && "*+?{".indexOf(in.charAt(at)) >= 0) {
            throw unsupported("a second quantifier after '}'");
        }
    }

    private void escape() {
        if (at + 1 == in.length()) {
            throw unsupported("'\\' at the end");
        }
        char c = in.charAt(at + 1);
        switch (c) {
            case 'p', 'P' -> property();
            case 'w' -> word(WORD);
            case 'W' -> word("[^" + WORD + "]");
            case 's', 'S', 'd', 'D', 'r', 'n', 't', 'f' -> copy(2);
            case 'u' -> unicode();
            default -> {
                if (c < 0x80 && Character.isLetterOrDigit(c)) {
                    throw unsupported("'\\" + c + "'");
                }
                copy(2);
            }
        }
    }

    private void word(String set) {
        out.append(set);
        at += 2;
    }

    private void unicode() {
        int end = at + 6;
        if (end > in.length() || !in.substring(at + 2, end).matches("[0-9A-Fa-f]{4}")) {
            throw unsupported("'\\u' without four hexadecimal digits");
        }
        copy(6);
    }

    /** Scripts and properties of more than two letters need a prefix in Java. */
    private void property() {
        int end = in.indexOf('}', at);
        String name = end < 0 || in.charAt(at + 2) != '{' ? "" : in.substring(at + 3, end);
        if (!name.matches("[A-Za-z_]{1,40}")) {
            throw unsupported("'\\p' without a name in braces");
        }
        out.append(in, at, at + 3)
                .append(name.length() > 2 ? "Is" : "")
                .append(name)
                .append('}');
        at = end + 1;
    }

    private IllegalArgumentException unsupported(String what) {
        return new IllegalArgumentException("%s at character %d is not supported".formatted(what, at));
    }
}
