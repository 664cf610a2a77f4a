package io.knabla.runtime.generation.grammar;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Prefix tree over the bytes of tokens. Nodes are numbered from the root down and from the lowest byte up, so a node
 * and all below it are neighbours. Immutable.
 */
final class TokenTree {
    /** Longer ones are never chosen within a grammar. */
    static final int LONGEST = 64;

    private record Entry(int id, byte[] bytes) {}

    private int nodes;
    private byte[] labels = new byte[1024];
    private byte[] depths = new byte[1024];
    private int[] ends = new int[1024];

    /** Index of the first token of each node; those up to the next node's are its own. */
    private int[] firsts = new int[1024];

    private final int[] tokens;

    /** @param bytes of each id; empty for one that may not be chosen */
    TokenTree(byte[][] bytes) {
        List<Entry> entries = new ArrayList<>();
        for (int id = 0; id < bytes.length; id++) {
            if (bytes[id].length > 0 && bytes[id].length <= LONGEST) {
                entries.add(new Entry(id, bytes[id]));
            }
        }
        entries.sort(Comparator.comparing(Entry::bytes, Arrays::compareUnsigned));
        tokens = entries.stream().mapToInt(Entry::id).toArray();
        build(entries);
    }

    private void build(List<Entry> entries) {
        int[] path = new int[LONGEST + 1];
        int depth = 0;
        add(0, 0, 0);
        byte[] before = {};
        for (int i = 0; i < entries.size(); i++) {
            byte[] bytes = entries.get(i).bytes();
            int shared = shared(before, bytes);
            close(path, shared + 1, depth);
            for (int at = shared; at < bytes.length; at++) {
                path[at + 1] = nodes;
                add(bytes[at], at + 1, i);
            }
            depth = bytes.length;
            before = bytes;
        }
        close(path, 0, depth);
        add(0, 0, entries.size());
        nodes--;
    }

    private static int shared(byte[] before, byte[] bytes) {
        int differing = Arrays.mismatch(before, bytes);
        return differing < 0 ? bytes.length : differing;
    }

    private void close(int[] path, int from, int to) {
        for (int depth = from; depth <= to; depth++) {
            ends[path[depth]] = nodes;
        }
    }

    private void add(int label, int depth, int first) {
        if (nodes == labels.length) {
            labels = Arrays.copyOf(labels, 2 * nodes);
            depths = Arrays.copyOf(depths, 2 * nodes);
            ends = Arrays.copyOf(ends, 2 * nodes);
            firsts = Arrays.copyOf(firsts, 2 * nodes);
        }
        labels[nodes] = (byte) label;
        depths[nodes] = (byte) depth;
        firsts[nodes++] = first;
    }

    /** Number of nodes; 0 is the root. */
    int nodes() {
        return nodes;
    }

    /** Last byte of a node, 0 to 255. */
    int label(int node) {
        return labels[node] & 0xff;
    }

    /** Number of bytes of a node. */
    int depth(int node) {
        return depths[node];
    }

    /** First node after a node and all below it. */
    int end(int node) {
        return ends[node];
    }

    /** Sets the bits of the tokens that end at a node. */
    void tokens(int node, long[] into) {
        for (int i = firsts[node]; i < firsts[node + 1]; i++) {
            into[tokens[i] >> 6] |= 1L << tokens[i];
        }
    }

    /** Bytes that are tokens of their own. */
    BitSet single() {
        var single = new BitSet();
        for (int node = 1; node < nodes; node = end(node)) {
            if (firsts[node + 1] > firsts[node]) {
                single.set(label(node));
            }
        }
        return single;
    }
}
