package io.knabla.functions.tokenizer.table;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Builds a prefix tree from tokens. */
public final class TrieBuilder {
    private record Entry(byte[] key, int id) {}

    /** Entries that share a prefix, and so a node. */
    private record Range(int low, int high, int depth) {}

    private final List<Entry> entries = new ArrayList<>();
    private final IntStream.Builder children = IntStream.builder();
    private final IntStream.Builder tokens = IntStream.builder();
    private final ByteArrayOutputStream labels = new ByteArrayOutputStream();
    private int nodes = 1;

    /** Adds a token; empty ones are never found, and left out. */
    public void add(byte[] key, int id) {
        if (key.length > 0) {
            entries.add(new Entry(key, id));
        }
    }

    /** A tree in memory. */
    public ByteTrie build() {
        walk();
        int[] ids = tokens.build().toArray();
        int most = Arrays.stream(ids).max().orElse(0) + 1;
        return new ByteTrie(
                        IntBuffer.wrap(children.build().toArray()),
                        ByteBuffer.wrap(labels.toByteArray()),
                        IntBuffer.wrap(ids))
                .checked(most);
    }

    void write(TableWriter out) {
        walk();
        out.ints(Section.TRIE_CHILDREN, children.build().toArray());
        out.bytes(Section.TRIE_LABELS, labels.toByteArray());
        out.ints(Section.TRIE_TOKENS, tokens.build().toArray());
    }

    private void walk() {
        entries.sort(Comparator.comparing(Entry::key, Arrays::compareUnsigned));
        var queue = new ArrayDeque<Range>();
        queue.add(new Range(0, entries.size(), 0));
        labels.write(0);
        while (!queue.isEmpty()) {
            node(queue.poll(), queue);
        }
        children.add(nodes);
    }

    private void node(Range range, ArrayDeque<Range> queue) {
        int low = range.low;
        int depth = range.depth;
        boolean ends = low < range.high && entries.get(low).key.length == depth;
        tokens.add(ends ? entries.get(low).id : ByteTrie.NONE);
        children.add(nodes);
        while (low < range.high && entries.get(low).key.length == depth) {
            low++;
        }
        while (low < range.high) {
            int high = low + 1;
            byte label = entries.get(low).key[depth];
            while (high < range.high && entries.get(high).key[depth] == label) {
                high++;
            }
            labels.write(label);
            queue.add(new Range(low, high, depth + 1));
            nodes++;
            low = high;
        }
    }
}
