package io.knabla.functions.tokenizer.table;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * Prefix tree over the UTF-8 bytes of tokens. Nodes are numbered level by level, so the children of a node are
 * neighbours, ordered by their bytes. Immutable, safe for use by several threads.
 */
public final class ByteTrie {
    public static final int ROOT = 0;

    /** What a step returns where no token goes on. */
    public static final int NONE = -1;

    private final IntBuffer children;
    private final ByteBuffer labels;
    private final IntBuffer tokens;
    private final int[] first = new int[256];

    ByteTrie(IntBuffer children, ByteBuffer labels, IntBuffer tokens) {
        this.children = children;
        this.labels = labels;
        this.tokens = tokens;
    }

    /** Checks the arrays and prepares the first step. */
    ByteTrie checked(int ids) {
        int nodes = tokens.limit();
        if (nodes == 0 || children.limit() != nodes + 1 || labels.limit() != nodes || children.get(nodes) != nodes) {
            throw new BadTableException("its tree of tokens has parts of different sizes");
        }
        if (!IntChecks.areAscending(children) || !IntChecks.areWithin(tokens, NONE, ids - 1)) {
            throw new BadTableException("its tree of tokens is damaged");
        }
        Arrays.fill(first, NONE);
        for (int node = children.get(ROOT); node < children.get(ROOT + 1); node++) {
            first[labels.get(node) & 0xff] = node;
        }
        return this;
    }

    /**
     * Checks that all its tokens have ids below a number of scores.
     *
     * @throws BadTableException if one has no score
     */
    public void checkScores(int scores) {
        if (!IntChecks.areWithin(tokens, NONE, scores - 1)) {
            throw new BadTableException("its tokens have %d scores, fewer than their ids".formatted(scores));
        }
    }

    /** Id of the token that ends at a node; -1 for none. */
    public int token(int node) {
        return tokens.get(node);
    }

    /** Node after all bytes of a character (code point); {@link #NONE} if no token goes on with it. */
    public int step(int node, int codePoint) {
        if (codePoint < 0x80) {
            return child(node, codePoint);
        }
        if (codePoint < 0x800) {
            return next(child(node, 0xc0 | codePoint >> 6), codePoint);
        }
        if (codePoint < 0x10000) {
            return next(next(child(node, 0xe0 | codePoint >> 12), codePoint >> 6), codePoint);
        }
        int start = next(child(node, 0xf0 | codePoint >> 18), codePoint >> 12);
        return next(next(start, codePoint >> 6), codePoint);
    }

    private int next(int node, int bits) {
        return node < 0 ? NONE : child(node, 0x80 | bits & 0x3f);
    }

    private int child(int node, int label) {
        if (node == ROOT) {
            return first[label];
        }
        int low = children.get(node);
        int high = children.get(node + 1) - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int found = labels.get(middle) & 0xff;
            if (found == label) {
                return middle;
            }
            if (found < label) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return NONE;
    }
}
