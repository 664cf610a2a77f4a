package io.knabla.functions.tokenizer.table;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Hashes tokens and merges to slots of the table; the functions are part of its format. */
final class Hashes {
    /** A lookup gives up after so many slots; a table that needs more is not written. */
    static final int MOST_PROBES = 512;

    private Hashes() {}

    static int of(byte[] bytes, int length) {
        int hash = 0x811c9dc5;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        return mix(hash);
    }

    static int of(int left, int right) {
        return mix(left * 0x9e3779b1 + Integer.rotateLeft(right * 0x85ebca77, 15));
    }

    private static int mix(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x7feb352d;
        mixed = (mixed ^ mixed >>> 15) * 0x846ca68b;
        return mixed ^ mixed >>> 16;
    }

    /**
     * Slots with the items from 0 to {@code count - 1}, at most half of them used.
     *
     * @param hash hash of an item, or -1 in {@code skipped}
     * @throws IllegalArgumentException if too many items have similar hashes
     */
    static int[] slots(int count, IntUnaryOperator hash, java.util.BitSet included) {
        int size = Integer.highestOneBit(Math.max(1, count)) * 4;
        int[] slots = new int[size];
        Arrays.fill(slots, -1);
        for (int item = included.nextSetBit(0); item >= 0; item = included.nextSetBit(item + 1)) {
            int slot = hash.applyAsInt(item) & size - 1;
            int probes = 0;
            while (slots[slot] >= 0) {
                slot = slot + 1 & size - 1;
                if (++probes == MOST_PROBES) {
                    throw new IllegalArgumentException("too many of its tokens or merges have similar hashes");
                }
            }
            slots[slot] = item;
        }
        return slots;
    }

    /** Whether every slot is free or holds an item below {@code count}, and their number is a power of two. */
    static boolean areValid(IntBuffer slots, int count) {
        return Integer.bitCount(slots.limit()) == 1 && IntChecks.areWithin(slots, -1, count - 1);
    }
}
