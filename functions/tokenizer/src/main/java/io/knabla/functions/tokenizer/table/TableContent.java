package io.knabla.functions.tokenizer.table;

import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.TreeBytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;

/**
 * Everything that a table keeps.
 *
 * @param settings tree of the tokenizer.json without vocabulary and merges
 * @param tokens by id, added ones included; null for an id without a token
 * @param inModel which of them the model knows
 * @param merges by rank: left, right and resulting id of each; empty for other models than BPE
 * @param scores by id; empty for other models than Unigram
 * @param trie whether the model searches prefixes
 */
public record TableContent(
        Tree settings, List<String> tokens, BitSet inModel, int[] merges, double[] scores, boolean trie) {

    /**
     * The file.
     *
     * @throws IllegalArgumentException if too many tokens or merges have similar hashes
     * @throws ArithmeticException if it would exceed 2 GiB
     */
    public byte[] write() {
        var out = new TableWriter();
        out.bytes(Section.SETTINGS, TreeBytes.write(settings));
        byte[][] keys = new byte[tokens.size()][];
        int[] ends = new int[keys.length];
        var text = new ByteArrayOutputStream();
        for (int id = 0; id < keys.length; id++) {
            String token = tokens.get(id);
            keys[id] = token == null ? new byte[0] : token.getBytes(StandardCharsets.UTF_8);
            text.writeBytes(keys[id]);
            ends[id] = text.size();
        }
        out.ints(Section.TOKEN_ENDS, ends);
        out.bytes(Section.TOKEN_BYTES, text.toByteArray());
        out.ints(Section.TOKEN_SLOTS, Hashes.slots(keys.length, id -> Hashes.of(keys[id], keys[id].length), inModel));
        merges(out);
        trie(out, keys);
        out.doubles(Section.SCORES, scores);
        return out.file();
    }

    private void merges(TableWriter out) {
        int count = merges.length / 3;
        var all = new BitSet();
        all.set(0, count);
        out.ints(Section.MERGES, merges);
        out.ints(
                Section.MERGE_SLOTS,
                Hashes.slots(count, rank -> Hashes.of(merges[rank * 3], merges[rank * 3 + 1]), all));
    }

    private void trie(TableWriter out, byte[][] keys) {
        var builder = new TrieBuilder();
        if (trie) {
            inModel.stream().forEach(id -> builder.add(keys[id], id));
        }
        builder.write(out);
    }
}
