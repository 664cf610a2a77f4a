package io.knabla.runtime.generation.grammar;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The masks that were used last, up to a number of bytes. Safe for use by several threads. */
final class MaskCache {
    private static final int USUAL_SIZE = 256;
    private static final float LOAD = 0.75f;

    private final long most;
    private final Map<Key, long[]> masks = new LinkedHashMap<>(USUAL_SIZE, LOAD, true);
    private long bytes;

    /** @param most bytes */
    MaskCache(long most) {
        this.most = most;
    }

    /** A state of a grammar. */
    static final class Key {
        private final TokenGrammar grammar;
        private final int[] state;
        private final int hash;

        Key(TokenGrammar grammar, int[] state) {
            this.grammar = grammar;
            this.state = state;
            this.hash = 31 * System.identityHashCode(grammar) + Arrays.hashCode(state);
        }

        private long bytes() {
            return 64 + 4L * state.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.grammar == grammar && Arrays.equals(key.state, state);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    synchronized long[] get(Key key, Supplier<long[]> computing) {
        long[] known = masks.get(key);
        if (known != null) {
            return known;
        }
        long[] mask = computing.get();
        masks.put(key, mask);
        bytes += key.bytes() + 8L * mask.length;
        drop();
        return mask;
    }

    /** Bytes of all masks that are kept. */
    synchronized long bytes() {
        return bytes;
    }

    private void drop() {
        Iterator<Map.Entry<Key, long[]>> oldest = masks.entrySet().iterator();
        while (bytes > most && oldest.hasNext()) {
            Map.Entry<Key, long[]> one = oldest.next();
            bytes -= one.getKey().bytes() + 8L * one.getValue().length;
            oldest.remove();
        }
    }
}
