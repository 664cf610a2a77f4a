package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.Activation;
import java.util.List;
import java.util.Map;

/** Adds the nodes of an activation function to a graph. */
record Activations(GraphNodes nodes) {
    String add(String output, String input, Activation activation) {
        return switch (activation) {
            case IDENTITY -> nodes.onnx(output, "Identity", List.of(input), Map.of());
            case GELU -> nodes.onnx(output, "Gelu", List.of(input), Map.of("approximate", "none"));
            case GELU_TANH -> nodes.onnx(output, "Gelu", List.of(input), Map.of("approximate", "tanh"));
            case RELU -> nodes.onnx(output, "Relu", List.of(input), Map.of());
            case SIGMOID -> nodes.onnx(output, "Sigmoid", List.of(input), Map.of());
            case SILU -> nodes.contrib(output, "QuickGelu", List.of(input), Map.of("alpha", 1.0));
            case TANH -> nodes.onnx(output, "Tanh", List.of(input), Map.of());
        };
    }
}
