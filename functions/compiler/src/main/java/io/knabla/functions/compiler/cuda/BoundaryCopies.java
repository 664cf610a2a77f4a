package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.analyze.SaturatingMath;
import io.knabla.functions.compiler.cuda.DevicePlacement.Copy;
import io.knabla.functions.compiler.cuda.DevicePlacement.Direction;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the values that are written on the host and read on the device, or the other way round: ONNX Runtime copies
 * each once a call ({@code transformer_memcpy.cc}). Constants are copied when the graph is loaded.
 */
final class BoundaryCopies {
    private final Set<String> hostReads = new LinkedHashSet<>();
    private final Set<String> deviceReads = new LinkedHashSet<>();
    private final Set<String> hostWrites = new LinkedHashSet<>();
    private final Set<String> deviceWrites = new LinkedHashSet<>();
    private final Map<String, TensorType> types = new HashMap<>();

    private BoundaryCopies(List<PlacedNode> nodes) {
        nodes.forEach(this::add);
    }

    /** @param inputs of the graph, which cross for the device once anyway, but a second time if both sides read them */
    static List<Copy> of(List<PlacedNode> nodes, Set<String> inputs) {
        return new BoundaryCopies(nodes).copies(inputs);
    }

    private List<Copy> copies(Set<String> inputs) {
        var copies = new ArrayList<Copy>();
        inputs.stream()
                .filter(deviceReads::contains)
                .filter(hostReads::contains)
                .forEach(value -> copies.add(copy(value, Direction.TO_DEVICE)));
        hostWrites.stream()
                .filter(deviceReads::contains)
                .forEach(value -> copies.add(copy(value, Direction.TO_DEVICE)));
        deviceWrites.stream().filter(hostReads::contains).forEach(value -> copies.add(copy(value, Direction.TO_HOST)));
        return copies;
    }

    private Copy copy(String value, Direction direction) {
        return new Copy(value, direction, SaturatingMath.bytes(types.getOrDefault(value, TensorType.UNKNOWN)));
    }

    private void add(PlacedNode node) {
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (!input.isEmpty()) {
                (node.readsOnHost(i) ? hostReads : deviceReads).add(input);
                types.putIfAbsent(input, node.node().inputType(i));
            }
        }
        for (int i = 0; i < node.node().outputs().size(); i++) {
            String output = node.node().outputs().get(i);
            (node.writesOnHost(i) ? hostWrites : deviceWrites).add(output);
            types.put(output, node.node().outputTypes().get(i));
        }
        hostWrites.remove("");
        deviceWrites.remove("");
    }
}
