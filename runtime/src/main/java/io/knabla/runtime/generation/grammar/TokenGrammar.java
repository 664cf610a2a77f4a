package io.knabla.runtime.generation.grammar;

import io.knabla.runtime.generation.grammar.automaton.PushdownAutomaton;
import io.knabla.runtime.generation.grammar.automaton.Reader;
import io.knabla.runtime.generation.grammar.automaton.Reading;

/**
 * Tells which tokens may follow the beginning of a text of a grammar. Safe for use by several threads, which wait for
 * each other.
 */
public final class TokenGrammar {
    /**
     * Work on one mask, in ways to read nodes of the tree of tokens. It does not depend on what is remembered, so
     * neither do texts. Without nesting alternatives a vocabulary of 256k needs half of it.
     */
    private static final long MOST_WORK = 4_000_000;

    /** More ways than most schemas have at a place are seldom remembered, so that they take longer. */
    private static final int FEW_WAYS = 8;

    private static final int MANY_WAYS_FACTOR = 16;

    private final TokenVocabulary vocabulary;
    private final MaskCache masks;
    private final Reader reader;
    private final Reading start;

    TokenGrammar(PushdownAutomaton automaton, TokenVocabulary vocabulary, MaskCache masks) {
        this.vocabulary = vocabulary;
        this.masks = masks;
        this.reader = new Reader(automaton);
        this.start = reader.start();
    }

    /** Reads one text. */
    public GrammarText text() {
        return new GrammarText(this, vocabulary, start);
    }

    /** Bits of the tokens that may follow; not to be changed. */
    synchronized long[] mask(Reading reading) {
        Reading from = reader.resume(reading);
        var key = new MaskCache.Key(this, reader.key(from));
        return masks.get(key, () -> compute(from));
    }

    /** The reading after more bytes. */
    synchronized Reading after(Reading reading, byte[] bytes) {
        Reading at = reader.resume(reading);
        for (byte one : bytes) {
            at = reader.step(at, one & 0xff);
        }
        return at;
    }

    private long[] compute(Reading from) {
        long[] mask = new long[(vocabulary.size() + 63) >> 6];
        if (from.isComplete()) {
            for (int end : vocabulary.ends()) {
                mask[end >> 6] |= 1L << end;
            }
        }
        walk(from, mask);
        return mask;
    }

    private void walk(Reading from, long[] mask) {
        TokenTree tree = vocabulary.tree();
        Reading[] path = new Reading[TokenTree.LONGEST + 1];
        path[0] = from;
        long work = 0;
        int node = 1;
        while (node < tree.nodes()) {
            int depth = tree.depth(node);
            Reading reading = reader.step(path[depth - 1], tree.label(node));
            path[depth] = reading;
            work += work(reading.ways());
            if (!reading.isDead()) {
                tree.tokens(node, mask);
            }
            // Tokens of one byte are always asked for: with them every text can go on.
            boolean below = !reading.isLast() && work < MOST_WORK;
            node = below ? node + 1 : tree.end(work < MOST_WORK ? node : top(tree, node));
        }
    }

    private static int work(int ways) {
        return 1 + (ways > FEW_WAYS ? MANY_WAYS_FACTOR * ways : ways);
    }

    /** The node of the first byte of a node. */
    private static int top(TokenTree tree, int node) {
        int top = node;
        while (tree.depth(top) > 1) {
            top--;
        }
        return top;
    }
}
