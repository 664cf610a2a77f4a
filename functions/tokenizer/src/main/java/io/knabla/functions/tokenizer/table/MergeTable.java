package io.knabla.functions.tokenizer.table;

import java.nio.IntBuffer;

/**
 * Looks up BPE merges: the merge of a rank, the rank of a pair of tokens. Immutable, safe for use by several threads.
 */
public final class MergeTable {
    /** Rank of a pair that is not merged. */
    public static final int NONE = Integer.MAX_VALUE;

    private static final int FIELDS = 3;

    private final IntBuffer merges;
    private final IntBuffer slots;

    MergeTable(IntBuffer merges, IntBuffer slots) {
        this.merges = merges;
        this.slots = slots;
    }

    void check(int tokens) {
        if (!IntChecks.areWithin(merges, 0, tokens - 1)) {
            throw new BadTableException("a merge names no token");
        }
        if (merges.limit() % FIELDS != 0 || !Hashes.areValid(slots, merges.limit() / FIELDS)) {
            throw new BadTableException("its index of merges is damaged");
        }
    }

    /** Rank of the merge of two tokens, the smallest first; {@link #NONE} if they are not merged. */
    public int rank(int left, int right) {
        int mask = slots.limit() - 1;
        int slot = Hashes.of(left, right) & mask;
        for (int probes = 0; probes <= Hashes.MOST_PROBES; probes++) {
            int rank = slots.get(slot);
            if (rank < 0) {
                return NONE;
            }
            if (merges.get(rank * FIELDS) == left && merges.get(rank * FIELDS + 1) == right) {
                return rank;
            }
            slot = slot + 1 & mask;
        }
        return NONE;
    }

    /** Id that the merge of this rank makes. */
    public int result(int rank) {
        return merges.get(rank * FIELDS + 2);
    }
}
