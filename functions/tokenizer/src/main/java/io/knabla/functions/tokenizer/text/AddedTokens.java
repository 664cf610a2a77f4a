package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.spec.AddedToken;
import io.knabla.functions.tokenizer.table.ByteTrie;
import io.knabla.functions.tokenizer.table.TrieBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;

/** Finds added tokens in a text: the leftmost match first, the longest of several at one place. */
final class AddedTokens {
    /** Receives the parts of a text in their order. */
    interface Sink {
        /** Receives an added token, or a part without one, whose {@code token} is null. */
        void part(int from, int to, AddedToken token);
    }

    private final List<AddedToken> tokens;
    private final ByteTrie trie;

    /** @param form how the content of a token looks in the text that is searched */
    AddedTokens(List<AddedToken> tokens, UnaryOperator<String> form) {
        this.tokens = tokens;
        var builder = new TrieBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            builder.add(form.apply(tokens.get(i).content()).getBytes(StandardCharsets.UTF_8), i);
        }
        trie = builder.build();
    }

    void find(String text, Sink sink) {
        int done = 0;
        int at = 0;
        while (at < text.length() && !tokens.isEmpty()) {
            long found = longest(text, at);
            int end = (int) found;
            if (end == 0) {
                at += Character.charCount(text.codePointAt(at));
                continue;
            }
            AddedToken token = tokens.get((int) (found >> 32));
            if (!token.singleWord() || isWord(text, at, end)) {
                int from = token.leftStrip() ? Math.max(done, whiteBefore(text, at)) : at;
                if (from > done) {
                    sink.part(done, from, null);
                }
                done = token.rightStrip() ? whiteAfter(text, end) : end;
                sink.part(from, done, token);
            }
            at = end;
        }
        if (done < text.length()) {
            sink.part(done, text.length(), null);
        }
    }

    /** Index and end of the longest token at a place, as upper and lower half; 0 for none. */
    private long longest(String text, int from) {
        long found = 0;
        int node = ByteTrie.ROOT;
        int at = from;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            node = trie.step(node, c);
            if (node < 0) {
                break;
            }
            at += Character.charCount(c);
            int token = trie.token(node);
            if (token >= 0) {
                found = (long) token << 32 | at;
            }
        }
        return found;
    }

    private static boolean isWord(String text, int from, int to) {
        return (from == 0 || !Characters.isWord(text.codePointBefore(from)))
                && (to == text.length() || !Characters.isWord(text.codePointAt(to)));
    }

    private static int whiteBefore(String text, int from) {
        int at = from;
        while (at > 0 && Characters.isWhite(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static int whiteAfter(String text, int from) {
        int at = from;
        while (at < text.length() && Characters.isWhite(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
