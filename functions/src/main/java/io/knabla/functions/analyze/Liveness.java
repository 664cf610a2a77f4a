package io.knabla.functions.analyze;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The most bytes that tensors take at once while steps run in turn, each in a buffer as {@link Buffers} tells. What no
 * step writes is someone else's memory and counts nothing.
 */
public final class Liveness {
    /** Whether the first result of a step needs memory of its own. */
    public enum Sharing {
        OWN,
        /** It is the first operand under another shape. */
        VIEW,
        /** It takes the place of the first operand if that has its size and nobody needs it any more. */
        IN_PLACE
    }

    /**
     * @param reads tensors by number; may repeat
     * @param writes tensors by number
     * @param inside bytes that its subgraphs take while it runs
     */
    public record Step(int[] reads, int[] writes, Sharing sharing, long inside) {
        public Step(int[] reads, int[] writes, Sharing sharing) {
            this(reads, writes, sharing, 0);
        }
    }

    private static final int NEVER = -1;

    private Liveness() {}

    /**
     * @param bytes by number of the tensor
     * @param kinds by number of the tensor; those of one kind are known to have the same shape
     * @param kept results, which live to the end in memory that the caller gave: they count nothing
     */
    public static long peak(List<Step> steps, long[] bytes, int[] kinds, int[] kept) {
        int[] owner = Buffers.of(steps, kinds, kept);
        int[] last = new int[bytes.length];
        Arrays.fill(last, NEVER);
        for (int i = 0; i < steps.size(); i++) {
            use(steps.get(i).reads(), owner, last, i);
            use(steps.get(i).writes(), owner, last, i);
        }
        boolean[] given = new boolean[bytes.length];
        Arrays.stream(kept).forEach(tensor -> given[tensor] = true);
        boolean[] there = new boolean[bytes.length];
        long live = 0;
        long peak = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            for (int written : step.writes()) {
                int buffer = owner[written];
                if (buffer != Buffers.NOBODY && !given[buffer] && !there[buffer]) {
                    there[buffer] = true;
                    live = Amounts.plus(live, bytes[buffer]);
                }
            }
            peak = Math.max(peak, Amounts.plus(live, step.inside()));
            for (int tensor : tensors(step)) {
                int buffer = owner[tensor];
                if (buffer != Buffers.NOBODY && there[buffer] && last[buffer] == i) {
                    there[buffer] = false;
                    live -= bytes[buffer];
                }
            }
        }
        return peak;
    }

    private static void use(int[] tensors, int[] owner, int[] last, int at) {
        for (int tensor : tensors) {
            if (owner[tensor] != Buffers.NOBODY) {
                last[owner[tensor]] = at;
            }
        }
    }

    private static int[] tensors(Step step) {
        return IntStream.concat(Arrays.stream(step.reads()), Arrays.stream(step.writes()))
                .toArray();
    }
}
