package io.knabla.functions.tokenizer.model;

import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.table.Table;

/** Turns one piece after the other into ids. Keeps buffers between pieces: for one thread at a time. */
public interface PieceEncoder {
    /** Appends the ids of a part of a text without lone surrogates. */
    void encode(String text, int from, int to, IdList out);

    /** An encoder of this kind that reads the table. */
    static PieceEncoder of(Model model, Table table) {
        return switch (model) {
            case Model.Bpe bpe -> new BpeEncoder(bpe, table);
            case Model.WordPiece wordPiece -> new WordPieceEncoder(wordPiece, table.trie());
            case Model.Unigram unigram -> new UnigramEncoder(unigram, table);
        };
    }
}
