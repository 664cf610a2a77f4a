package io.knabla.functions.compiler.optimize.merge;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.OptionalLong;

/**
 * Decides by a cost model whether to merge products of one input into one product and a Split.
 *
 * @param products names of their weights or outputs in the file
 * @param reason explanation for users
 */
public record MergeDecision(List<String> products, boolean merge, String reason) {
    private static final int FEWEST = 3;

    /**
     * Number of multiplications from which the engine splits a product among threads (MLAS,
     * {@code MLAS_SGEMM_THREAD_COMPLEXITY}).
     */
    private static final long SHARED_FROM = 1 << 16;

    /**
     * Cost of splitting a product among two threads and waiting for both; measured with ONNX Runtime 1.29 as the time
     * that merging three of 256 × 256 saves at one row. For products on one thread, starting two takes no longer than
     * starting the Split.
     */
    private static final double SECONDS_TO_SHARE = 1.25e-6;

    /** Cost of a Split beyond the starts of products that it saves, likewise measured with 64 × 64. */
    private static final double SECONDS_TO_SPLIT = 0.7e-6;

    private static final double BYTES_PER_SECOND = 40e9;

    public MergeDecision {
        products = List.copyOf(products);
    }

    /**
     * Inputs of the decision.
     *
     * @param rows of the input: the product of all its dimensions but the last; empty if known at run time only
     * @param inner columns of the input
     * @param widths columns of the products that can be merged
     * @param obstacles why others cannot be merged
     */
    record Facts(
            List<String> products,
            ElementType element,
            OptionalLong rows,
            long inner,
            List<Long> widths,
            List<String> obstacles) {}

    static MergeDecision of(Facts facts) {
        int count = facts.widths().size();
        if (count < FEWEST) {
            String why = "%d can be merged, and one product with a Split is no better than two".formatted(count);
            return unmerged(facts, String.join("; ", facts.obstacles()) + "; " + why);
        }
        if (facts.rows().isEmpty()) {
            return unmerged(facts, "the number of rows is not fixed, and merging pays for few rows only");
        }
        long rows = facts.rows().getAsLong();
        double saved = saved(facts);
        double lost = lost(facts);
        String balance =
                "%d products of %d rows: %.1f µs saved by sharing %d fewer among threads and reading the input once, %.1f µs lost to the Split"
                        .formatted(count, rows, saved * 1e6, fewerShared(facts), lost * 1e6);
        return new MergeDecision(facts.products(), saved > lost, balance);
    }

    private static MergeDecision unmerged(Facts facts, String reason) {
        return new MergeDecision(facts.products(), false, reason);
    }

    private static double saved(Facts facts) {
        double read = bytes(facts, facts.inner()) / BYTES_PER_SECOND;
        return fewerShared(facts) * SECONDS_TO_SHARE + (facts.widths().size() - 1) * read;
    }

    private static long fewerShared(Facts facts) {
        long rows = facts.rows().orElseThrow();
        long needed = Math.ceilDiv(SHARED_FROM, Math.max(1, facts.inner()));
        long shared = facts.widths().stream()
                .filter(width -> width >= Math.ceilDiv(needed, Math.max(1, rows)))
                .count();
        return Math.max(0, shared - 1);
    }

    /** The Split reads and writes every result once more. */
    private static double lost(Facts facts) {
        long width = facts.widths().stream().reduce(0L, Math::addExact);
        return SECONDS_TO_SPLIT + 2 * bytes(facts, width) / BYTES_PER_SECOND;
    }

    private static double bytes(Facts facts, long columns) {
        return (double) facts.rows().orElseThrow() * columns * facts.element().bits() / Byte.SIZE;
    }
}
