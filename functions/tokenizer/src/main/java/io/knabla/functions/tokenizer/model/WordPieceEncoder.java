package io.knabla.functions.tokenizer.model;

import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.table.ByteTrie;

/**
 * Splits a word by WordPiece: takes the longest token at each place; a word with a place without one is unknown as a
 * whole.
 */
final class WordPieceEncoder implements PieceEncoder {
    private final Model.WordPiece model;
    private final ByteTrie trie;
    private final int continuation;
    private final IdList word = new IdList();
    private int end;

    WordPieceEncoder(Model.WordPiece model, ByteTrie trie) {
        this.model = model;
        this.trie = trie;
        continuation = model.prefix().codePoints().reduce(ByteTrie.ROOT, this::step);
    }

    private int step(int node, int codePoint) {
        return node < 0 ? ByteTrie.NONE : trie.step(node, codePoint);
    }

    @Override
    public void encode(String text, int from, int to, IdList out) {
        if (text.codePointCount(from, to) > model.longestWord()) {
            out.add(model.unknownId());
            return;
        }
        word.clear();
        for (int at = from; at < to; at = end) {
            int id = longest(text, at, to, at == from ? ByteTrie.ROOT : continuation);
            if (id < 0) {
                out.add(model.unknownId());
                return;
            }
            word.add(id);
        }
        for (int i = 0; i < word.size(); i++) {
            out.add(word.get(i));
        }
    }

    /** Id of the longest token from a node on; sets {@link #end}. */
    private int longest(String text, int from, int to, int start) {
        int found = -1;
        int node = start;
        int at = from;
        while (node >= 0 && at < to) {
            int c = text.codePointAt(at);
            node = trie.step(node, c);
            at += Character.charCount(c);
            if (node >= 0 && trie.token(node) >= 0) {
                found = trie.token(node);
                end = at;
            }
        }
        return found;
    }
}
