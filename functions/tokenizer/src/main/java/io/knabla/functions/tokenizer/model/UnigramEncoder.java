package io.knabla.functions.tokenizer.model;

import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.table.ByteTrie;
import io.knabla.functions.tokenizer.table.Table;
import io.knabla.functions.tokenizer.table.TokenTable;
import java.nio.DoubleBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Splits a piece by a Unigram model: the tokens with the greatest sum of scores (Viterbi). An unknown character costs a
 * fixed penalty.
 */
final class UnigramEncoder implements PieceEncoder {
    private static final double UNKNOWN_PENALTY = 10;
    private static final int UNREACHED = -1;

    private final Model.Unigram model;
    private final TokenTable tokens;
    private final ByteTrie trie;
    private final DoubleBuffer scores;
    private final double unknownScore;
    private final ByteTokens bytes;
    private double[] best = new double[64];
    private int[] begins = new int[64];
    private int[] ids = new int[64];

    UnigramEncoder(Model.Unigram model, Table table) {
        this.model = model;
        tokens = table.tokens();
        trie = table.trie();
        scores = table.scores();
        unknownScore = smallest(scores) - UNKNOWN_PENALTY;
        bytes = model.byteFallback() ? new ByteTokens(tokens) : null;
    }

    private static double smallest(DoubleBuffer scores) {
        double smallest = Double.POSITIVE_INFINITY;
        for (int id = 0; id < scores.limit(); id++) {
            smallest = Math.min(smallest, scores.get(id));
        }
        return smallest;
    }

    @Override
    public void encode(String text, int from, int to, IdList out) {
        int length = to - from;
        prepare(length);
        int next;
        for (int at = 0; at < length; at = next) {
            int width = Character.charCount(text.codePointAt(from + at));
            next = at + width;
            if (!tokensFrom(text, from, at, to)) {
                reach(next, at, best[at] + unknownScore, model.unknownId());
            }
        }
        collect(text, from, length, out);
    }

    private void prepare(int length) {
        if (begins.length <= length) {
            int size = Math.max(length + 1, begins.length * 2);
            best = new double[size];
            begins = new int[size];
            ids = new int[size];
        }
        for (int i = 0; i <= length; i++) {
            begins[i] = UNREACHED;
            best[i] = 0;
        }
    }

    /** Reaches the ends of all tokens that begin at a place; whether one of them is a single character. */
    private boolean tokensFrom(String text, int from, int begin, int to) {
        boolean single = false;
        int node = ByteTrie.ROOT;
        int at = from + begin;
        while (at < to) {
            int c = text.codePointAt(at);
            boolean first = at == from + begin;
            node = trie.step(node, c);
            if (node < 0) {
                break;
            }
            at += Character.charCount(c);
            int id = trie.token(node);
            if (id >= 0) {
                single |= first;
                reach(at - from, begin, best[begin] + scores.get(id), id);
            }
        }
        return single;
    }

    private void reach(int end, int begin, double score, int id) {
        if (begins[end] == UNREACHED || score > best[end]) {
            best[end] = score;
            begins[end] = begin;
            ids[end] = id;
        }
    }

    /** Walks back from the end; adjacent unknown characters are one token. */
    private void collect(String text, int from, int length, IdList out) {
        int start = out.size();
        int end = length;
        while (end > 0) {
            int begin = begins[end];
            if (ids[end] != model.unknownId()) {
                out.add(ids[end]);
            } else {
                while (begin > 0 && ids[begin] == model.unknownId()) {
                    begin = begins[begin];
                }
                unknown(text.substring(from + begin, from + end), out);
            }
            end = begin;
        }
        out.reverse(start);
    }

    private void unknown(String run, IdList out) {
        byte[] key = run.getBytes(StandardCharsets.UTF_8);
        int whole = tokens.id(key, key.length);
        int before = out.size();
        if (whole >= 0) {
            out.add(whole);
        } else if (bytes != null && bytes.append(run, out)) {
            out.reverse(before);
        } else {
            out.add(model.unknownId());
        }
    }
}
