package io.knabla.functions.optimize.merge;

import io.knabla.functions.graph.ElementType;
import java.util.List;
import java.util.OptionalLong;

/**
 * Whether products of one input become one product and a Split.
 *
 * @param products as the file names what they give
 * @param reason for people
 */
public record Decision(List<String> products, boolean merge, String reason) {
    private static final int FEWEST = 3;

    /**
     * What the engine (1.29, CPU, two threads) takes for starting one more product or Split: measured
     * as what merging three saves at one row, where there is next to nothing else to save.
     */
    private static final double SECONDS_A_NODE = 1.5e-6;

    /** Of values that a processor's cache holds; measured with the same products at 16 to 64 rows. */
    private static final double BYTES_PER_SECOND = 40e9;

    public Decision {
        products = List.copyOf(products);
    }

    /**
     * What a decision depends on.
     *
     * @param rows of the input, all its dimensions but the last multiplied; empty where a call decides
     * @param inner columns of the input
     * @param widths columns of the products that can be merged
     * @param obstacles why others cannot
     */
    record Facts(
            List<String> products,
            ElementType element,
            OptionalLong rows,
            long inner,
            List<Long> widths,
            List<String> obstacles) {}

    static Decision of(Facts facts) {
        int count = facts.widths().size();
        if (count < FEWEST) {
            String why =
                    "%d can be merged, and one product with a Split is no better than two"
                            .formatted(count);
            return left(facts, String.join("; ", facts.obstacles()) + "; " + why);
        }
        if (facts.rows().isEmpty()) {
            return left(
                    facts, "the number of rows is not fixed, and merging pays for few rows only");
        }
        double saved = saved(facts);
        String gain =
                "%d products of %d rows: %.1f µs saved by %d starts and %d reads of the input fewer, %.1f µs lost to the Split"
                        .formatted(
                                count,
                                facts.rows().getAsLong(),
                                saved * 1e6,
                                count - 2,
                                count - 1,
                                split(facts) * 1e6);
        return new Decision(facts.products(), saved > split(facts), gain);
    }

    private static Decision left(Facts facts, String reason) {
        return new Decision(facts.products(), false, reason);
    }

    private static double saved(Facts facts) {
        int count = facts.widths().size();
        double read = bytes(facts, facts.inner());
        return (count - 2) * SECONDS_A_NODE + (count - 1) * read / BYTES_PER_SECOND;
    }

    /** It reads and writes every result once more. */
    private static double split(Facts facts) {
        long width = facts.widths().stream().reduce(0L, Math::addExact);
        return 2 * bytes(facts, width) / BYTES_PER_SECOND;
    }

    private static double bytes(Facts facts, long columns) {
        return (double) facts.rows().orElseThrow() * columns * facts.element().bits() / Byte.SIZE;
    }
}
