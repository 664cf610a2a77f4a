package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Token.Kind;
import io.knabla.functions.chat.value.Whitespace;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts the inside of one tag into tokens. */
final class TokenReader {
    private static final Pattern NUMBER =
            Pattern.compile("[0-9](?:_?[0-9])*(\\.[0-9](?:_?[0-9])*)?([eE][+-]?[0-9](?:_?[0-9])*)?");
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}\\p{Mn}_]*");
    private static final Pattern OPERATOR = Pattern.compile("\\*\\*|//|==|!=|>=|<=|[-+*/%~\\[\\](){}<>=.:|,]");

    private final Source source;
    private final String text;
    private final Faults faults;
    private final String end;
    private final List<Token> tokens = new ArrayList<>();
    private int open;
    private char sign = ' ';

    /** @param end what closes the tag */
    TokenReader(Source source, Faults faults, String end) {
        this.source = source;
        this.text = source.text;
        this.faults = faults;
        this.end = end;
    }

    List<Token> tokens() {
        return tokens;
    }

    /** The sign before the end of the tag, plus or minus; a space if there is none. */
    char sign() {
        return sign;
    }

    /** Reads all tokens and returns the offset after the tag; -1 if it has no end. */
    int read(int from) {
        int at = Whitespace.skip(text, from);
        while (at < text.length()) {
            int signed = endsHere(at);
            if (open == 0 && signed >= 0) {
                add(Kind.END, "", at);
                return at + signed + end.length();
            }
            at = Whitespace.skip(text, token(at));
        }
        return -1;
    }

    /** The number of signs before the end that is here, 0 or 1; -1 if it is not here. */
    private int endsHere(int at) {
        char first = text.charAt(at);
        if (text.startsWith(end, at)) {
            return 0;
        }
        boolean maySign = first == '-' || first == '+' && end.equals("%}");
        if (maySign && open == 0 && text.startsWith(end, at + 1)) {
            sign = first;
            return 1;
        }
        return -1;
    }

    private int token(int at) {
        char first = text.charAt(at);
        if (first == '"' || first == '\'') {
            return string(at, first);
        }
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (number.lookingAt()) {
            return number(at, number);
        }
        Matcher name = NAME.matcher(text).region(at, text.length());
        if (name.lookingAt()) {
            add(Kind.NAME, name.group(), at);
            return name.end();
        }
        Matcher operator = OPERATOR.matcher(text).region(at, text.length());
        if (operator.lookingAt()) {
            balance(operator.group());
            add(Kind.OPERATOR, operator.group(), at);
            return operator.end();
        }
        faults.add(source.at(at), "unexpected character %s", Faults.quote(text.substring(at, at + 1)));
        return at + 1;
    }

    private int number(int at, Matcher number) {
        Token last = tokens.isEmpty() ? null : tokens.getLast();
        boolean index = last != null && last.is(Kind.OPERATOR, ".");
        boolean whole = index || number.group(1) == null && number.group(2) == null;
        String written = index ? number.group().replaceFirst("[.eE].*", "") : number.group();
        add(whole ? Kind.INTEGER : Kind.FLOAT, written.replace("_", ""), at);
        return at + written.length();
    }

    private void balance(String operator) {
        if ("([{".contains(operator)) {
            open++;
        } else if (")]}".contains(operator)) {
            open = Math.max(0, open - 1);
        }
    }

    private int string(int at, char quote) {
        int to = at + 1;
        while (to < text.length() && text.charAt(to) != quote) {
            to += text.charAt(to) == '\\' ? 2 : 1;
        }
        if (to >= text.length()) {
            faults.add(source.at(at), "this string has no end; close it by %s", quote);
            return text.length();
        }
        try {
            add(Kind.STRING, Escapes.read(text.substring(at + 1, to)), at);
        } catch (IllegalArgumentException bad) {
            faults.add(source.at(at), "%s", bad.getMessage());
            add(Kind.STRING, "", at);
        }
        return to + 1;
    }

    private void add(Kind kind, String written, int at) {
        tokens.add(new Token(kind, written, source.at(at)));
    }
}
