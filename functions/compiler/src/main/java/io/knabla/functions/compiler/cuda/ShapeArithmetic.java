package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.cuda.DevicePlacement.Reason;
import io.knabla.functions.compiler.cuda.PlacedNode.Device;
import io.knabla.functions.compiler.cuda.PlacedNode.Host;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Moves nodes that compute sizes to the CPU: those that a value in host memory reaches and that read nothing but such
 * values, small constants and inputs. This is {@code GetCpuPreferredNodes} of ONNX Runtime's
 * {@code fallback_cpu_capability.cc}.
 */
final class ShapeArithmetic {
    private static final Set<ElementType> SHORT_FLOATS = EnumSet.of(
            ElementType.FLOAT16,
            ElementType.BFLOAT16,
            ElementType.FLOAT8E4M3FN,
            ElementType.FLOAT8E4M3FNUZ,
            ElementType.FLOAT8E5M2,
            ElementType.FLOAT8E5M2FNUZ);

    private final Predicate<String> free;
    private final Set<String> onHost = new HashSet<>();
    private final Set<String> reached = new HashSet<>();

    /** @param free whether a value is a small constant or an input, which may be read on either side */
    ShapeArithmetic(Predicate<String> free) {
        this.free = free;
    }

    /** @param nodes in order */
    List<PlacedNode> apply(List<PlacedNode> nodes) {
        nodes.forEach(this::kernelOutputs);
        var placed = new ArrayList<PlacedNode>(nodes.size());
        for (PlacedNode node : nodes) {
            placed.add(node.inputs().stream().anyMatch(reached::contains) ? candidate(node) : node);
        }
        return placed;
    }

    private void kernelOutputs(PlacedNode node) {
        if (node.place() instanceof Device(var kernel)) {
            kernel.hostOutputs().stream()
                    .filter(i -> i < node.node().outputs().size())
                    .map(node.node().outputs()::get)
                    .forEach(this::host);
        }
    }

    private void host(String value) {
        onHost.add(value);
        reached.add(value);
    }

    private PlacedNode candidate(PlacedNode node) {
        boolean moves = switch (node.place()) {
            case Host _ -> true;
            case Device(var kernel) -> readsOnlyHost(node, kernel);
        };
        if (!moves) {
            return node;
        }
        node.node().outputs().forEach(this::host);
        return node.place() instanceof Host ? node : node.on(new Host(Reason.SHAPE_ARITHMETIC, ""));
    }

    private boolean readsOnlyHost(PlacedNode node, CudaKernel kernel) {
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (SHORT_FLOATS.contains(node.node().op().element(i))) {
                return false;
            }
            boolean there = free.test(input)
                    || onHost.contains(input) && !kernel.hostInputs().contains(i);
            if (!there) {
                return false;
            }
        }
        return true;
    }
}
