package io.knabla.functions.compiler.analyze;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes the peak memory of tensors over a sequence of steps, with buffers assigned by {@link BufferPlanner}. A
 * tensor that no step writes is in the caller's memory and does not count.
 */
public final class Liveness {
    /** How the first result of a step uses the buffer of its first operand. */
    public enum Sharing {
        OWN,
        /** The result is the first operand with another shape. */
        VIEW,
        /** The result overwrites the first operand if the shapes match and no later step reads the operand. */
        IN_PLACE
    }

    /**
     * One operation.
     *
     * @param reads tensors by number; may repeat
     * @param writes tensors by number
     * @param inside peak bytes of its subgraphs
     */
    public record Step(int[] reads, int[] writes, Sharing sharing, long inside) {
        public Step(int[] reads, int[] writes, Sharing sharing) {
            this(reads, writes, sharing, 0);
        }
    }

    private static final int NEVER = -1;

    private Liveness() {}

    /**
     * @param bytes by tensor number
     * @param kinds by tensor number; tensors of one kind are known to have the same shape
     * @param kept results, which are in memory of the caller and do not count
     */
    public static long peak(List<Step> steps, long[] bytes, int[] kinds, int[] kept) {
        int[] owner = BufferPlanner.assign(steps, kinds, kept);
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
                if (buffer != BufferPlanner.NOBODY && !given[buffer] && !there[buffer]) {
                    there[buffer] = true;
                    live = SaturatingMath.plus(live, bytes[buffer]);
                }
            }
            peak = Math.max(peak, SaturatingMath.plus(live, step.inside()));
            for (int tensor : tensors(step)) {
                int buffer = owner[tensor];
                if (buffer != BufferPlanner.NOBODY && there[buffer] && last[buffer] == i) {
                    there[buffer] = false;
                    live -= bytes[buffer];
                }
            }
        }
        return peak;
    }

    private static void use(int[] tensors, int[] owner, int[] last, int at) {
        for (int tensor : tensors) {
            if (owner[tensor] != BufferPlanner.NOBODY) {
                last[owner[tensor]] = at;
            }
        }
    }

    private static int[] tensors(Step step) {
        return IntStream.concat(Arrays.stream(step.reads()), Arrays.stream(step.writes()))
                .toArray();
    }
}
