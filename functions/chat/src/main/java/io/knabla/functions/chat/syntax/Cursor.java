package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Token.Kind;
import java.util.List;

/** Reads the tokens of one tag from the first to the last, which is its end. */
final class Cursor {
    private final List<Token> tokens;
    private int at;

    Cursor(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token next() {
        Token token = tokens.get(at);
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    boolean isOperator(String operator) {
        return peek().is(Kind.OPERATOR, operator);
    }

    boolean isName(String name) {
        return peek().is(Kind.NAME, name);
    }

    /** Whether the token after the next one is this name. */
    boolean isSecondName(String name) {
        return at + 1 < tokens.size() && tokens.get(at + 1).is(Kind.NAME, name);
    }

    boolean isSecondOperator(String operator) {
        return at + 1 < tokens.size() && tokens.get(at + 1).is(Kind.OPERATOR, operator);
    }

    boolean skipOperator(String operator) {
        boolean found = isOperator(operator);
        at += found ? 1 : 0;
        return found;
    }

    boolean skipName(String name) {
        boolean found = isName(name);
        at += found ? 1 : 0;
        return found;
    }

    void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw new SyntaxException(peek().at(), "found %s, expected '%s'", peek(), operator);
        }
    }

    void expectName(String name) {
        if (!skipName(name)) {
            throw new SyntaxException(peek().at(), "found %s, expected '%s'", peek(), name);
        }
    }

    Token expect(Kind kind, String what) {
        if (peek().kind() != kind) {
            throw new SyntaxException(peek().at(), "found %s, expected %s", peek(), what);
        }
        return next();
    }

    void expectEnd() {
        if (peek().kind() != Kind.END) {
            throw new SyntaxException(peek().at(), "found %s, expected the end of the tag", peek());
        }
    }
}
