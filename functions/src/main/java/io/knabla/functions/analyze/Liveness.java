package io.knabla.functions.analyze;

import java.util.Arrays;
import java.util.List;

/**
 * The most bytes that tensors take at once while steps run in turn. A tensor is freed after its last
 * use. What no step writes is someone else's memory and counts nothing.
 */
public final class Liveness {
    /** Whether the first result of a step needs memory of its own. */
    public enum Sharing {
        OWN,
        /** It is the first operand under another shape. */
        VIEW,
        /** It takes the place of an operand of its size that nobody needs any more. */
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

    private static final int FOREVER = Integer.MAX_VALUE;
    private static final int NOBODY = -1;

    private final long[] bytes;
    private final int[] owner;
    private final int[] lastUse;
    private long live;
    private long peak;

    private Liveness(long[] bytes) {
        this.bytes = bytes;
        this.owner = new int[bytes.length];
        this.lastUse = new int[bytes.length];
        Arrays.fill(owner, NOBODY);
    }

    /**
     * @param bytes by number of the tensor
     * @param kept tensors that live to the end, such as results
     */
    public static long peak(List<Step> steps, long[] bytes, int[] kept) {
        var liveness = new Liveness(bytes);
        liveness.own(steps);
        liveness.use(steps, kept);
        for (int i = 0; i < steps.size(); i++) {
            liveness.step(steps.get(i), i);
        }
        return liveness.peak;
    }

    private void own(List<Step> steps) {
        for (Step step : steps) {
            for (int written : step.writes()) {
                owner[written] = written;
            }
            if (step.sharing() == Sharing.VIEW) {
                owner[step.writes()[0]] = owner[step.reads()[0]];
            }
        }
    }

    private void use(List<Step> steps, int[] kept) {
        for (int i = 0; i < steps.size(); i++) {
            for (int read : steps.get(i).reads()) {
                used(read, i);
            }
            for (int written : steps.get(i).writes()) {
                used(written, i);
            }
        }
        for (int tensor : kept) {
            used(tensor, FOREVER);
        }
    }

    private void used(int tensor, int at) {
        if (owner[tensor] != NOBODY) {
            lastUse[owner[tensor]] = Math.max(lastUse[owner[tensor]], at);
        }
    }

    private void step(Step step, int at) {
        for (int i = 0; i < step.writes().length; i++) {
            int written = step.writes()[i];
            if (owner[written] != written) {
                continue;
            }
            int place = i == 0 && step.sharing() == Sharing.IN_PLACE ? place(step, at) : NOBODY;
            live = Amounts.plus(live, place == NOBODY ? bytes[written] : 0);
            if (place != NOBODY) {
                // The place is the result's from here on, so the operand frees nothing.
                lastUse[place] = FOREVER;
            }
        }
        peak = Math.max(peak, Amounts.plus(live, step.inside()));
        for (int read : step.reads()) {
            free(read, at);
        }
        for (int written : step.writes()) {
            free(written, at);
        }
    }

    private int place(Step step, int at) {
        for (int read : step.reads()) {
            int tensor = owner[read];
            if (tensor != NOBODY
                    && lastUse[tensor] == at
                    && bytes[tensor] == bytes[step.writes()[0]]) {
                return tensor;
            }
        }
        return NOBODY;
    }

    private void free(int tensor, int at) {
        int freed = owner[tensor];
        if (freed != NOBODY && lastUse[freed] == at) {
            live -= bytes[freed];
            lastUse[freed] = FOREVER;
        }
    }
}
