package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.PrefixSource.Fetched;
import io.knabla.runtime.generation.decode.SavedTokens;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One fetch of blocks of a prompt that are not in the cache.
 *
 * @param first number of the first of these blocks in the prompt
 * @param known the blocks before it, held
 * @param keys of these blocks
 * @param memory of each of these blocks
 */
record PrefixFetch(
        int first, List<PrefixBlock> known, List<ByteBuffer> keys, PrefixCache.Room room, List<SavedTokens> memory) {
    List<ByteBuffer> bytes() {
        return memory.stream().map(SavedTokens::bytes).toList();
    }

    /** Moves what came to the cache; the blocks of the prompt that it has now, held. */
    List<PrefixBlock> store(Fetched fetched) {
        List<SavedTokens> came = memory.subList(0, fetched.blocks());
        memory.subList(fetched.blocks(), memory.size()).forEach(SavedTokens::close);
        List<PrefixBlock> held = new ArrayList<>(known);
        held.addAll(room.fill(keys, came));
        return held;
    }

    /** Tokens that were read elsewhere for this prompt. */
    int tokens(Fetched fetched) {
        int before = Math.max(first * PrefixKeys.BLOCK, fetched.cachedTokens());
        return Math.max(0, (first + fetched.blocks()) * PrefixKeys.BLOCK - before);
    }

    /** Frees the memory; there is no cache any more. */
    void abandon() {
        memory.forEach(SavedTokens::close);
        known.forEach(PrefixBlock::release);
    }
}
