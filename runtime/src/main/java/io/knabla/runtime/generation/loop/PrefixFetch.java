package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.PrefixSource.Fetched;
import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.decode.SavedTokens;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One fetch, from another replica, of blocks of a prompt that the prefix cache lacks. The thread that fetches takes
 * memory for them, since much of it takes long; then the engine's thread has it.
 */
final class PrefixFetch {
    private final List<PrefixBlock> known;
    private final List<ByteBuffer> keys;
    private final PrefixCache.Room room;
    private final Decoder decoder;
    private final List<SavedTokens> memory = new ArrayList<>();
    private Fetched fetched = Fetched.FAILED;

    /**
     * @param known the blocks of the prompt before these, held
     * @param keys of these blocks
     * @param room for as many
     */
    PrefixFetch(List<PrefixBlock> known, List<ByteBuffer> keys, PrefixCache.Room room, Decoder decoder) {
        this.known = known;
        this.keys = keys;
        this.room = room;
        this.decoder = decoder;
    }

    /** Number of the first of these blocks in the prompt. */
    int first() {
        return known.size();
    }

    List<ByteBuffer> keys() {
        return keys;
    }

    /** Fewest tokens of the prompt of which a replica keeps these blocks. */
    int promptTokens() {
        return PrefixKeys.promptTokens(first() + keys.size());
    }

    /** Memory of each of these blocks. */
    List<ByteBuffer> reserve() {
        while (memory.size() < keys.size()) {
            memory.add(decoder.reserve(PrefixKeys.BLOCK));
        }
        return memory.stream().map(SavedTokens::bytes).toList();
    }

    /** To be called before the engine's thread learns of the end. */
    void ended(Fetched with) {
        fetched = with;
    }

    boolean hasFailed() {
        return fetched.failed();
    }

    /** Moves what came to the cache; the blocks of the prompt that it has now, held. */
    List<PrefixBlock> store() {
        List<SavedTokens> came = memory.subList(0, fetched.blocks());
        memory.subList(fetched.blocks(), memory.size()).forEach(SavedTokens::close);
        List<PrefixBlock> held = new ArrayList<>(known);
        held.addAll(room.fill(keys, came));
        return held;
    }

    /** Tokens that were read elsewhere for this prompt. */
    int tokens() {
        int before = Math.max(first() * PrefixKeys.BLOCK, fetched.cachedTokens());
        return Math.max(0, (first() + fetched.blocks()) * PrefixKeys.BLOCK - before);
    }

    /** Frees the memory; the engine will not come for it. */
    void abandon() {
        memory.forEach(SavedTokens::close);
        known.forEach(PrefixBlock::release);
    }
}
