package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.cuda.DevicePlacement.Reason;
import io.knabla.functions.compiler.cuda.FlatGraph.FlatNode;
import io.knabla.functions.compiler.cuda.PlacedNode.Device;
import io.knabla.functions.compiler.cuda.PlacedNode.Host;
import io.knabla.functions.compiler.cuda.PlacedNode.Place;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Node;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a node has a CUDA kernel, by the table alone. */
final class KernelChoice {
    /**
     * Operators of ONNX without any kernel: ONNX Runtime 1.29 expands them to others, all of which the CUDA provider
     * computes.
     */
    private static final Set<String> EXPANDED = Set.of(
            "Bernoulli",
            "CastLike",
            "CenterCropPad",
            "GroupNormalization",
            "Mish",
            "NegativeLogLikelihoodLoss",
            "SequenceMap",
            "SoftmaxCrossEntropyLoss",
            "SwiGLU",
            "Swish");

    private final CudaKernels table;

    KernelChoice(CudaKernels table) {
        this.table = table;
    }

    Place of(FlatNode node) {
        Node op = node.op().node();
        long opset = Math.max(1, node.op().opset());
        Optional<CudaKernel> kernel =
                table.find(op.domain(), op.op(), opset, node.inputElements(), node.outputElements());
        if (kernel.isEmpty()) {
            return expands(op) ? new Device(PlacedNode.EXPANDED) : missing(node, opset);
        }
        return CudaAttributes.unsupported(op)
                .<Place>map(attribute -> new Host(Reason.ATTRIBUTE, attribute))
                .orElseGet(() -> new Device(kernel.get()));
    }

    /** Whether ONNX Runtime replaces the operator by others once it has seen that no provider has a kernel. */
    static boolean expands(Node node) {
        return node.domain().isEmpty() && EXPANDED.contains(node.op());
    }

    private Host missing(FlatNode node, long opset) {
        Node op = node.op().node();
        if (!table.hasSome(op.domain(), op.op())) {
            return new Host(Reason.NO_KERNEL, "");
        }
        return table.hasSome(op.domain(), op.op(), opset)
                ? new Host(Reason.NO_KERNEL_OF_TYPE, types(node.inputElements()))
                : new Host(Reason.NO_KERNEL_OF_VERSION, "opset " + opset);
    }

    private static String types(List<ElementType> elements) {
        return elements.stream()
                .filter(type -> type != ElementType.UNDEFINED)
                .map(type -> type.name().toLowerCase(Locale.ROOT))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
