package io.knabla.functions.compiler.cuda;

import ai.onnx.proto.OnnxMl.AttributeProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Node;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Attributes with which the CUDA provider leaves an operator to the CPU although it has a kernel: the conditions of
 * {@code CUDAExecutionProvider::GetCapability} in ONNX Runtime 1.29.
 */
final class CudaAttributes {
    private static final List<String> LSTM = List.of("sigmoid", "tanh", "tanh", "sigmoid", "tanh", "tanh");
    private static final List<String> GRU = List.of("sigmoid", "tanh", "sigmoid", "tanh");
    private static final List<String> RNN = List.of("tanh", "tanh");
    private static final int PEEPHOLES = 7;

    private CudaAttributes() {}

    /** The attribute that the provider cannot compute with, if there is one. */
    static Optional<String> unsupported(Node node) {
        if (!node.domain().isEmpty()) {
            return Optional.empty();
        }
        return switch (node.op()) {
            case "LSTM" -> lstm(node);
            case "GRU" ->
                recurrent(node, GRU)
                        .or(() -> when(
                                node.integer("linear_before_reset", 1) != 1 && node.has("linear_before_reset"),
                                "linear_before_reset"));
            case "RNN" -> recurrent(node, RNN);
            case "ConvTranspose" -> transposed(node);
            case "Cast" -> when(node.integer("to", 0) == ElementType.STRING.number(), "to");
            default -> Optional.empty();
        };
    }

    private static Optional<String> lstm(Node node) {
        return recurrent(node, LSTM)
                .or(() -> when(node.integer("input_forget", 0) != 0, "input_forget"))
                .or(() -> when(!node.input(PEEPHOLES).isEmpty(), "P"));
    }

    private static Optional<String> recurrent(Node node, List<String> activations) {
        return Stream.of("activation_alpha", "activation_beta", "clip")
                .filter(node::has)
                .findFirst()
                .or(() -> when(!agree(node.attributes().get("activations"), activations), "activations"));
    }

    private static boolean agree(AttributeProto given, List<String> supported) {
        List<String> names = given == null
                ? List.of()
                : given.getStringsList().stream()
                        .map(ByteString::toStringUtf8)
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList();
        return names.size() <= supported.size() && names.equals(supported.subList(0, names.size()));
    }

    /** cuDNN pads both ends alike. */
    private static Optional<String> transposed(Node node) {
        List<Long> pads = node.integers("pads").orElse(List.of());
        int rank = pads.size() / 2;
        boolean even = pads.subList(0, rank).equals(pads.subList(rank, pads.size()));
        return when(!even, "pads").or(() -> when(node.text("auto_pad", "NOTSET").startsWith("SAME"), "auto_pad"));
    }

    private static Optional<String> when(boolean unsupported, String attribute) {
        return unsupported ? Optional.of(attribute) : Optional.empty();
    }
}
