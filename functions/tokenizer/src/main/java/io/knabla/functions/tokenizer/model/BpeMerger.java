package io.knabla.functions.tokenizer.model;

import io.knabla.functions.tokenizer.table.MergeTable;
import java.util.Arrays;

/**
 * Applies BPE merges to the symbols of one word: the smallest rank first, the leftmost of equal ones.
 *
 * <p>Short words search the smallest rank in all positions, which is faster than a heap for them; in long ones a heap
 * of (rank, position) bounds the time to n log n.
 */
final class BpeMerger {
    private static final int SHORT = 24;
    private static final int NONE = -1;

    private final MergeTable merges;
    private int[] symbols = new int[SHORT];
    private int[] next = new int[SHORT];
    private int[] previous = new int[SHORT];
    /** Rank of the merge of the symbol at a position with the next one. */
    private int[] ranks = new int[SHORT];

    private long[] heap = new long[SHORT];
    private int heapSize;

    BpeMerger(MergeTable merges) {
        this.merges = merges;
    }

    /** Appends the symbols of {@code word}, merged. */
    void merge(IdList word, IdList out) {
        int count = word.size();
        if (count <= SHORT) {
            load(word, count);
            mergeShort(count, out);
        } else {
            load(word, count);
            mergeLong(count, out);
        }
    }

    private void load(IdList word, int count) {
        if (symbols.length < count) {
            int size = Math.max(count, symbols.length * 2);
            symbols = new int[size];
            next = new int[size];
            previous = new int[size];
            ranks = new int[size];
        }
        for (int i = 0; i < count; i++) {
            symbols[i] = word.get(i);
        }
        for (int i = 0; i < count; i++) {
            ranks[i] = i + 1 < count ? merges.rank(symbols[i], symbols[i + 1]) : MergeTable.NONE;
        }
    }

    private void mergeShort(int count, IdList out) {
        int left = count;
        while (left > 1) {
            int best = 0;
            for (int i = 1; i < left - 1; i++) {
                if (ranks[i] < ranks[best]) {
                    best = i;
                }
            }
            if (ranks[best] == MergeTable.NONE) {
                break;
            }
            symbols[best] = merges.result(ranks[best]);
            int moved = left - best - 2;
            System.arraycopy(symbols, best + 2, symbols, best + 1, moved);
            System.arraycopy(ranks, best + 2, ranks, best + 1, moved);
            left--;
            ranks[best] = best + 1 < left ? merges.rank(symbols[best], symbols[best + 1]) : MergeTable.NONE;
            if (best > 0) {
                ranks[best - 1] = merges.rank(symbols[best - 1], symbols[best]);
            }
        }
        for (int i = 0; i < left; i++) {
            out.add(symbols[i]);
        }
    }

    private void mergeLong(int count, IdList out) {
        heapSize = 0;
        for (int i = 0; i < count; i++) {
            next[i] = i + 1 < count ? i + 1 : NONE;
            previous[i] = i - 1;
            push(i);
        }
        while (heapSize > 0) {
            long top = pop();
            int at = (int) top;
            if (ranks[at] == (int) (top >> 32)) {
                join(at);
            }
        }
        for (int i = 0; i != NONE; i = next[i]) {
            out.add(symbols[i]);
        }
    }

    private void join(int at) {
        symbols[at] = merges.result(ranks[at]);
        int gone = next[at];
        ranks[gone] = MergeTable.NONE;
        next[at] = next[gone];
        if (next[at] != NONE) {
            previous[next[at]] = at;
        }
        rerank(at);
        if (previous[at] != NONE) {
            rerank(previous[at]);
        }
    }

    private void rerank(int at) {
        ranks[at] = next[at] == NONE ? MergeTable.NONE : merges.rank(symbols[at], symbols[next[at]]);
        push(at);
    }

    private void push(int at) {
        if (ranks[at] == MergeTable.NONE) {
            return;
        }
        if (heapSize == heap.length) {
            heap = Arrays.copyOf(heap, heapSize * 2);
        }
        long entry = (long) ranks[at] << 32 | at;
        int child = heapSize++;
        while (child > 0 && heap[child - 1 >> 1] > entry) {
            heap[child] = heap[child - 1 >> 1];
            child = child - 1 >> 1;
        }
        heap[child] = entry;
    }

    private long pop() {
        long top = heap[0];
        long last = heap[--heapSize];
        int parent = 0;
        int child = 1;
        while (child < heapSize) {
            if (child + 1 < heapSize && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= last) {
                break;
            }
            heap[parent] = heap[child];
            parent = child;
            child = 2 * parent + 1;
        }
        heap[parent] = last;
        return top;
    }
}
