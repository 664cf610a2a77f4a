package io.knabla.functions.tokenizer.table;

import io.knabla.functions.tokenizer.spec.Vocabulary;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;

/** Tokens by id, and ids of the model's tokens by their bytes. Immutable, safe for use by several threads. */
public final class TokenTable implements Vocabulary {
    private final IntBuffer ends;
    private final ByteBuffer bytes;
    private final IntBuffer slots;

    TokenTable(IntBuffer ends, ByteBuffer bytes, IntBuffer slots) {
        this.ends = ends;
        this.bytes = bytes;
        this.slots = slots;
    }

    void check() {
        if (!IntChecks.areAscending(ends)) {
            throw new BadTableException("a token ends before it begins");
        }
        int last = size() == 0 ? 0 : ends.get(size() - 1);
        if (last != bytes.limit()) {
            throw new BadTableException("its tokens have %d bytes, not %d".formatted(last, bytes.limit()));
        }
        if (!Hashes.areValid(slots, size())) {
            throw new BadTableException("its index of tokens is damaged");
        }
    }

    /** Number of ids, those without a token included. */
    public int size() {
        return ends.limit();
    }

    private int start(int id) {
        return id == 0 ? 0 : ends.get(id - 1);
    }

    /** Text of a token; empty for an id that has none. */
    public String text(int id) {
        if (id < 0 || id >= size()) {
            return "";
        }
        byte[] copy = new byte[ends.get(id) - start(id)];
        bytes.get(start(id), copy);
        return new String(copy, StandardCharsets.UTF_8);
    }

    @Override
    public int id(String token) {
        byte[] key = token.getBytes(StandardCharsets.UTF_8);
        return id(key, key.length);
    }

    /** Id of the token with the first {@code length} of these bytes; -1 if it is unknown. */
    public int id(byte[] key, int length) {
        int mask = slots.limit() - 1;
        int slot = Hashes.of(key, length) & mask;
        for (int probes = 0; probes <= Hashes.MOST_PROBES; probes++) {
            int id = slots.get(slot);
            if (id < 0 || isToken(id, key, length)) {
                return id;
            }
            slot = slot + 1 & mask;
        }
        return -1;
    }

    private boolean isToken(int id, byte[] key, int length) {
        int start = start(id);
        if (ends.get(id) - start != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes.get(start + i) != key[i]) {
                return false;
            }
        }
        return true;
    }
}
