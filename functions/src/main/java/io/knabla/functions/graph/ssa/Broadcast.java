package io.knabla.functions.graph.ssa;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which axes of a broadcast result were stretched from an operand, decided from what is known of the shapes.
 *
 * @param leading how many axes in front the operand does not have
 * @param stretched axes of the result, from the front, where the operand has 1 and the result more
 */
record Broadcast(int leading, List<Long> stretched) {

    /** Empty where it depends on sizes that only a run knows. */
    static Optional<Broadcast> of(Shape result, Shape operand) {
        int leading = result.rank() - operand.rank();
        if (leading < 0) {
            return Optional.empty();
        }
        var stretched = new ArrayList<Long>();
        for (int i = 0; i < operand.rank(); i++) {
            Dim from = operand.dim(i);
            Dim to = result.dim(leading + i);
            if (from.is(1) && !to.is(1)) {
                stretched.add((long) leading + i);
            } else if (!same(from, to)) {
                return Optional.empty();
            }
        }
        return Optional.of(new Broadcast(leading, List.copyOf(stretched)));
    }

    boolean none() {
        return leading == 0 && stretched.isEmpty();
    }

    /** Whether two sizes are surely equal. */
    static boolean same(Dim a, Dim b) {
        return !(a instanceof Dim.Unknown) && a.equals(b);
    }
}
