package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.decode.SavedTokens;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps keys and values of the beginnings of prompts in blocks, for prompts that begin alike. When it is full, the
 * blocks go that were not used for longest.
 */
final class PrefixCache implements AutoCloseable {
    private static final float LOAD = 0.75f;
    private static final int FIRST_ROOM = 16;

    private final Map<ByteBuffer, SavedTokens> blocks = new LinkedHashMap<>(FIRST_ROOM, LOAD, true);
    private final long most;

    /** @param tokens whose keys and values it may hold */
    PrefixCache(long tokens) {
        this.most = tokens / PrefixKeys.BLOCK;
    }

    /** Copies the known beginning of a prompt to a slot that is empty; the number of its tokens. */
    int restore(TextSequence sequence, int slot, Decoder decoder) {
        List<ByteBuffer> keys = keys(sequence);
        int known = 0;
        while (known < keys.size() && blocks.containsKey(keys.get(known))) {
            known++;
        }
        for (int i = known - 1; i >= 0; i--) {
            decoder.copyIn(blocks.get(keys.get(i)), slot, i * PrefixKeys.BLOCK);
        }
        return known * PrefixKeys.BLOCK;
    }

    private List<ByteBuffer> keys(TextSequence sequence) {
        return most == 0 ? List.of() : sequence.prefixKeys().keys();
    }

    /** Copies the blocks of a prompt that are not here yet. */
    void store(TextSequence sequence, int slot, Decoder decoder) {
        List<ByteBuffer> keys = keys(sequence);
        // The first ones last, so that those go first that are of no use without them.
        for (int i = (int) Math.min(most, keys.size()) - 1; i >= 0; i--) {
            if (blocks.get(keys.get(i)) == null) {
                blocks.put(keys.get(i), decoder.copyOut(slot, i * PrefixKeys.BLOCK, PrefixKeys.BLOCK));
            }
        }
        evict();
    }

    private void evict() {
        Iterator<SavedTokens> oldest = blocks.values().iterator();
        while (blocks.size() > most) {
            oldest.next().close();
            oldest.remove();
        }
    }

    @Override
    public void close() {
        blocks.values().forEach(SavedTokens::close);
        blocks.clear();
    }
}
