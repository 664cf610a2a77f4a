package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.cuda.DevicePlacement.Reason;
import io.knabla.functions.compiler.cuda.FlatGraph.FlatNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A node that runs in each call, and where.
 *
 * @param inputs names of values, past removed nodes
 */
record PlacedNode(FlatNode node, List<String> inputs, Place place) {
    /** Where a node runs. */
    sealed interface Place {}

    /** On the device, by this kernel. */
    record Device(CudaKernel kernel) implements Place {}

    /** On the CPU. */
    record Host(Reason reason, String detail) implements Place {}

    PlacedNode on(Place other) {
        return new PlacedNode(node, inputs, other);
    }

    boolean readsOnHost(int input) {
        return switch (place) {
            case Host _ -> true;
            case Device(var kernel) -> kernel.hostInputs().contains(input);
        };
    }

    boolean writesOnHost(int output) {
        return switch (place) {
            case Host _ -> true;
            case Device(var kernel) -> kernel.hostOutputs().contains(output);
        };
    }

    /** A kernel without conditions, for operators that the engine expands to ones of the device. */
    static final CudaKernel EXPANDED = new CudaKernel(1, Long.MAX_VALUE, Map.of(), Map.of(), Set.of(), Set.of());
}
