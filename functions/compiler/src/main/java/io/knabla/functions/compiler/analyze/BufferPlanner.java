package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Liveness.Sharing;
import io.knabla.functions.compiler.analyze.Liveness.Step;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts the buffer that ONNX Runtime assigns to each tensor. The engine decides before the first run: a result
 * reuses an operand's buffer that its kernel may overwrite, else the most recently released buffer of the same shape,
 * else a new one. A buffer is freed only after the last use of its last tensor, so it stays allocated while it waits
 * for its next tensor ({@code AllocationPlanner} of ONNX Runtime 1.29).
 */
final class BufferPlanner {
    static final int NOBODY = -1;

    /** The kind of a tensor that shares its shape with no other, as far as the engine knows. */
    static final int ALONE = -1;

    private final int[] kinds;
    private final int[] owner;
    private final int[] uses;
    private final boolean[] kept;
    private final Map<Integer, Deque<Integer>> idle = new HashMap<>();

    private BufferPlanner(int[] kinds, int[] kept) {
        this.kinds = kinds;
        this.owner = new int[kinds.length];
        this.uses = new int[kinds.length];
        this.kept = new boolean[kinds.length];
        Arrays.fill(owner, NOBODY);
        for (int tensor : kept) {
            this.kept[tensor] = true;
        }
    }

    /**
     * @param kinds by tensor number; tensors of one kind have the same shape, known to the engine
     * @param kept tensors in memory of the caller: inputs and results
     * @return by tensor number, the tensor that owns its buffer; {@link #NOBODY} if no step writes it
     */
    static int[] assign(List<Step> steps, int[] kinds, int[] kept) {
        var buffers = new BufferPlanner(kinds, kept);
        for (Step step : steps) {
            Arrays.stream(step.reads()).forEach(read -> buffers.uses[read]++);
        }
        steps.forEach(buffers::step);
        return buffers.owner;
    }

    private void step(Step step) {
        for (int i = 0; i < step.writes().length; i++) {
            int written = step.writes()[i];
            owner[written] = written;
            if (!kept[written]) {
                owner[written] = i == 0 && step.sharing() == Sharing.VIEW ? owner[step.reads()[0]] : chosen(step, i);
            }
            if (owner[written] != NOBODY && owner[written] != written) {
                uses[owner[written]] += uses[written];
            }
        }
        for (int read : step.reads()) {
            if (owner[read] != NOBODY) {
                uses[owner[read]]--;
                free(owner[read]);
            }
        }
        for (int written : step.writes()) {
            if (owner[written] != NOBODY) {
                free(owner[written]);
            }
        }
    }

    private int chosen(Step step, int result) {
        int written = step.writes()[result];
        if (kinds[written] == ALONE) {
            return written;
        }
        if (result == 0 && step.sharing() == Sharing.IN_PLACE) {
            int first = step.reads()[0];
            int buffer = owner[first];
            if (kinds[first] == kinds[written] && buffer != NOBODY && !kept[buffer] && uses[buffer] == 1) {
                return buffer;
            }
        }
        Deque<Integer> free = idle.get(kinds[written]);
        return free == null || free.isEmpty() ? written : free.pop();
    }

    /** Releases a buffer for reuse after its last use. */
    private void free(int buffer) {
        if (uses[buffer] != 0 || kept[buffer] || kinds[buffer] == ALONE) {
            return;
        }
        Deque<Integer> free = idle.computeIfAbsent(kinds[buffer], _ -> new ArrayDeque<>());
        if (!free.contains(buffer)) {
            free.push(buffer);
        }
    }
}
