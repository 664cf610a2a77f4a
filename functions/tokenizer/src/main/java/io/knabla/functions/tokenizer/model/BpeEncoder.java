package io.knabla.functions.tokenizer.model;

import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.table.Table;
import io.knabla.functions.tokenizer.table.TokenTable;
import java.util.Arrays;

/** Byte pair encoding: a piece begins as its characters, which merges join. */
final class BpeEncoder implements PieceEncoder {
    /** Characters whose ids are kept, the alphabet of bytes among them. */
    private static final int KEPT = 512;

    private static final int NOT_ASKED = -2;

    private final Model.Bpe model;
    private final TokenTable tokens;
    private final BpeMerger merger;
    private final ByteTokens bytes;
    private final IdList word = new IdList();
    private final int[] kept = new int[KEPT];
    private byte[] key = new byte[64];

    BpeEncoder(Model.Bpe model, Table table) {
        this.model = model;
        tokens = table.tokens();
        merger = new BpeMerger(table.merges());
        bytes = model.byteFallback() ? new ByteTokens(tokens) : null;
        Arrays.fill(kept, NOT_ASKED);
    }

    @Override
    public void encode(String text, int from, int to, IdList out) {
        if (model.ignoreMerges()) {
            int whole = id(text, from, to);
            if (whole >= 0) {
                out.add(whole);
                return;
            }
        }
        word.clear();
        characters(text, from, to);
        merger.merge(word, out);
    }

    private void characters(String text, int from, int to) {
        boolean plain = model.prefix().isEmpty() && model.suffix().isEmpty();
        boolean unknown = false;
        int next;
        for (int at = from; at < to; at = next) {
            next = at + (Character.isHighSurrogate(text.charAt(at)) ? 2 : 1);
            int id = plain ? id(text, at, next) : id(decorated(text, at, next, at == from, next == to));
            if (id >= 0) {
                unknown = flush(unknown);
                word.add(id);
            } else if (bytes == null || !bytes.append(decorated(text, at, next, at == from, next == to), word)) {
                unknown = unknown(unknown);
            }
        }
        flush(unknown);
    }

    /** Notes an unknown character, after one that waits already; returns whether one waits. */
    private boolean unknown(boolean waiting) {
        if (!model.fuseUnknown()) {
            flush(waiting);
        }
        return model.unknownId() >= 0;
    }

    private boolean flush(boolean waiting) {
        if (waiting) {
            word.add(model.unknownId());
        }
        return false;
    }

    private String decorated(String text, int from, int to, boolean first, boolean last) {
        String character = text.substring(from, to);
        return (first ? "" : model.prefix()) + character + (last ? model.suffix() : "");
    }

    private int id(String token) {
        return id(token, 0, token.length());
    }

    private int id(String text, int from, int to) {
        char c = text.charAt(from);
        if (to - from > 1 || c >= KEPT) {
            return search(text, from, to);
        }
        if (kept[c] == NOT_ASKED) {
            kept[c] = search(text, from, to);
        }
        return kept[c];
    }

    private int search(String text, int from, int to) {
        if (key.length < (to - from) * 3) {
            key = new byte[(to - from) * 3];
        }
        return tokens.id(key, Utf8.write(text, from, to, key));
    }
}
