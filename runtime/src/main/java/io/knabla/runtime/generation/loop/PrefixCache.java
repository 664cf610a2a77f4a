package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.decode.SavedTokens;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps keys and values of the beginnings of prompts in blocks, for prompts that begin alike. When it is full, the
 * blocks go that were not used for longest and that nobody holds; if all are held, none is added. Used by the engine's
 * thread alone.
 */
final class PrefixCache implements AutoCloseable {
    private static final float LOAD = 0.75f;
    private static final int FIRST_ROOM = 16;

    private final Map<ByteBuffer, PrefixBlock> blocks = new LinkedHashMap<>(FIRST_ROOM, LOAD, true);
    private final long most;
    private long reserved;
    private boolean closed;

    /** Memory of the cache for blocks that come from elsewhere. */
    final class Room {
        private final int size;

        private Room(int size) {
            this.size = size;
            reserved += size;
        }

        /**
         * Adds the blocks that came; to be called once, with none if none did.
         *
         * @param keys of all blocks that there is room for
         * @param came the first of these
         * @return the blocks, held; none if the cache was closed meanwhile
         */
        List<PrefixBlock> fill(List<ByteBuffer> keys, List<SavedTokens> came) {
            reserved -= size;
            if (closed) {
                came.forEach(SavedTokens::close);
                return List.of();
            }
            List<PrefixBlock> held = new ArrayList<>();
            for (int i = came.size() - 1; i >= 0; i--) {
                held.add(add(keys.get(i), came.get(i)).hold());
            }
            return held;
        }
    }

    /** @param tokens whose keys and values it may hold */
    PrefixCache(long tokens) {
        this.most = tokens / PrefixKeys.BLOCK;
    }

    /** Most blocks that it keeps. */
    long most() {
        return most;
    }

    /** Copies the known beginning of a prompt to a slot that is empty; the number of its tokens. */
    int restore(TextSequence sequence, int slot, Decoder decoder) {
        List<PrefixBlock> known = known(sequence, 0);
        for (int i = known.size() - 1; i >= 0; i--) {
            decoder.copyIn(known.get(i).tokens(), slot, i * PrefixKeys.BLOCK);
        }
        return known.size() * PrefixKeys.BLOCK;
    }

    private List<ByteBuffer> keys(TextSequence sequence) {
        return most == 0 ? List.of() : sequence.prefixKeys().keys();
    }

    /** The blocks of a prompt from the first of these on, up to one that is not here; now they are the latest used. */
    private List<PrefixBlock> known(TextSequence sequence, int first) {
        List<ByteBuffer> keys = keys(sequence);
        int end = first;
        while (end < keys.size() && blocks.containsKey(keys.get(end))) {
            end++;
        }
        // The first ones last, so that those go first that are of no use without them.
        List<PrefixBlock> found = new ArrayList<>();
        for (int i = end - 1; i >= first; i--) {
            found.addFirst(blocks.get(keys.get(i)));
        }
        return found;
    }

    /** As many blocks of a prompt from this one on as are here, held. */
    List<PrefixBlock> hold(TextSequence sequence, int first) {
        List<PrefixBlock> found = known(sequence, first);
        found.forEach(PrefixBlock::hold);
        return found;
    }

    /** Room for as many blocks from elsewhere; empty if there is not as much now. */
    Optional<Room> reserve(int count) {
        return hasRoom(count) ? Optional.of(new Room(count)) : Optional.empty();
    }

    /** Copies the blocks of a prompt that are not here yet. */
    void store(TextSequence sequence, int slot, Decoder decoder) {
        List<ByteBuffer> keys = keys(sequence);
        int count = (int) Math.min(most, keys.size());
        // Used now, so that those of others go first.
        keys.forEach(blocks::get);
        for (int i = count - 1; i >= 0; i--) {
            if (blocks.get(keys.get(i)) == null && hasRoom(1)) {
                add(keys.get(i), decoder.copyOut(slot, i * PrefixKeys.BLOCK, PrefixKeys.BLOCK));
            }
        }
    }

    /** Adds a block, for which there is room; the one that is there already, if there is one. */
    private PrefixBlock add(ByteBuffer key, SavedTokens tokens) {
        PrefixBlock there = blocks.get(key);
        if (there != null) {
            tokens.close();
            return there;
        }
        var block = new PrefixBlock(tokens);
        blocks.put(key, block);
        return block;
    }

    /** Whether as many can be added now; then the oldest have gone for them. */
    private boolean hasRoom(int count) {
        long surplus = blocks.size() + reserved + count - most;
        if (surplus > 0
                && blocks.values().stream().filter(block -> !block.isHeld()).count() < surplus) {
            return false;
        }
        Iterator<PrefixBlock> oldest = blocks.values().iterator();
        for (long left = surplus; left > 0; ) {
            PrefixBlock block = oldest.next();
            if (!block.isHeld()) {
                block.release();
                oldest.remove();
                left--;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        blocks.values().forEach(PrefixBlock::release);
        blocks.clear();
    }
}
