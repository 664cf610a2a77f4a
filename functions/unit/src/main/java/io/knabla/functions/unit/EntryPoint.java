package io.knabla.functions.unit;

import java.util.List;

/**
 * An additional graph of a unit, loaded on its first call; it shares the unit's weights.
 *
 * @param name also the name of its file in a materialised unit, without {@code .onnx}
 */
public record EntryPoint(
        String name, Blob graph, List<TensorSpec> inputs, List<TensorSpec> outputs, Optimization optimization) {
    private static final int MAX_NAME = 32;

    public EntryPoint {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        if (!wellFormed(name)) {
            throw new IllegalArgumentException(
                    "not the name of an entry: '%s'; 1 to %d of a-z 0-9 -, a letter first, and not 'model'"
                            .formatted(name, MAX_NAME));
        }
    }

    public EntryPoint(String name, Blob graph, List<TensorSpec> inputs, List<TensorSpec> outputs) {
        this(name, graph, inputs, outputs, Optimization.FULL);
    }

    /** The name of its file in a materialised unit. */
    public String file() {
        return name.concat(".onnx");
    }

    private static boolean wellFormed(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME || name.equals("model")) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean later = c >= '0' && c <= '9' || c == '-';
            if (!(c >= 'a' && c <= 'z' || later && i > 0)) {
                return false;
            }
        }
        return true;
    }
}
