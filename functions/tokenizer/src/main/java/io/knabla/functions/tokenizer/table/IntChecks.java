package io.knabla.functions.tokenizer.table;

import java.nio.IntBuffer;

/**
 * Checks all numbers of a section when a table is opened. They are copied block by block, since at a cold start the
 * interpreter reads arrays several times as fast as buffers.
 */
final class IntChecks {
    private static final int BLOCK = 8192;

    private IntChecks() {}

    /** Whether all numbers are from {@code lowest} to {@code highest}. */
    static boolean areWithin(IntBuffer numbers, int lowest, int highest) {
        int[] block = new int[BLOCK];
        for (int at = 0; at < numbers.limit(); at += BLOCK) {
            int count = Math.min(BLOCK, numbers.limit() - at);
            numbers.get(at, block, 0, count);
            if (!areWithin(block, count, lowest, highest)) {
                return false;
            }
        }
        return true;
    }

    private static boolean areWithin(int[] block, int count, int lowest, int highest) {
        for (int i = 0; i < count; i++) {
            if (block[i] < lowest || block[i] > highest) {
                return false;
            }
        }
        return true;
    }

    /** Whether no number is below zero or the one before it. */
    static boolean areAscending(IntBuffer numbers) {
        int[] block = new int[BLOCK];
        int last = 0;
        for (int at = 0; at < numbers.limit(); at += BLOCK) {
            int count = Math.min(BLOCK, numbers.limit() - at);
            numbers.get(at, block, 0, count);
            for (int i = 0; i < count; i++) {
                if (block[i] < last) {
                    return false;
                }
                last = block[i];
            }
        }
        return true;
    }
}
