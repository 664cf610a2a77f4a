package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.analyze.SaturatingMath;
import io.knabla.functions.compiler.cuda.DevicePlacement.Copy;
import io.knabla.functions.compiler.cuda.DevicePlacement.Fallback;
import io.knabla.functions.compiler.cuda.FlatGraph.FlatNode;
import io.knabla.functions.compiler.cuda.PlacedNode.Device;
import io.knabla.functions.compiler.cuda.PlacedNode.Host;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.DimBinding;
import io.knabla.functions.compiler.shape.InferenceTrace;
import io.knabla.functions.compiler.shape.ShapeInference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts the placement of a graph's nodes without the provider: kernel by kernel, then ONNX Runtime's rule that
 * computations of sizes stay on the CPU, then its copies. Bodies of control flow are placed like graphs; values that
 * they take from outside are not counted as copies.
 */
public final class PlacementPredictor {
    /** ONNX Runtime leaves a node on the CPU only beside constants of up to so many elements. */
    private static final long SMALL = 100;

    private final Model model;
    private final KernelChoice choice = new KernelChoice(CudaKernels.TABLE);
    private final Map<String, TensorType> types = new HashMap<>();
    private final List<Fallback> fallbacks = new ArrayList<>();
    private final List<Copy> copies = new ArrayList<>();
    private int device;
    private int atLoad;

    private PlacementPredictor(Model model) {
        this.model = model;
        model.graph().initializers().forEach((name, tensor) -> types.put(name, TensorProtos.type(tensor)));
    }

    public static DevicePlacement of(Model model) {
        InferenceTrace trace = ShapeInference.trace(model, DimBinding.SYMBOLIC);
        var predictor = new PlacementPredictor(model);
        predictor.place(FlatGraph.of(model, trace));
        return new DevicePlacement(predictor.device, predictor.atLoad, predictor.fallbacks, predictor.copies);
    }

    private void place(FlatGraph graph) {
        var removed = new LoadTimeNodes(graph);
        var first = new ArrayList<PlacedNode>();
        for (FlatNode node : graph.nodes()) {
            note(node);
            if (removed.removes(node)) {
                atLoad++;
            } else {
                List<String> inputs =
                        node.inputs().stream().map(removed::source).toList();
                first.add(new PlacedNode(node, inputs, choice.of(node)));
            }
        }
        List<PlacedNode> placed = new ShapeArithmetic(value ->
                        value.isEmpty() || graph.inputs().contains(value) || removed.isConstant(value) && small(value))
                .apply(first);
        placed.forEach(this::count);
        copies.addAll(BoundaryCopies.of(varying(placed, removed), graph.inputs()));
        placed.forEach(node -> bodies(graph, node.node()));
    }

    private void note(FlatNode node) {
        for (int i = 0; i < node.inputs().size(); i++) {
            types.putIfAbsent(node.inputs().get(i), node.inputType(i));
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            types.put(node.outputs().get(i), node.outputTypes().get(i));
        }
    }

    private boolean small(String value) {
        return SaturatingMath.elements(types.getOrDefault(value, TensorType.UNKNOWN)) <= SMALL;
    }

    private void count(PlacedNode node) {
        switch (node.place()) {
            case Device _ -> device++;
            case Host(var reason, var detail) ->
                fallbacks.add(
                        new Fallback(node.node().name(), node.node().op().node().qualifiedOp(), reason, detail));
        }
    }

    /** Without constants, which are on both sides. */
    private static List<PlacedNode> varying(List<PlacedNode> placed, LoadTimeNodes removed) {
        return placed.stream()
                .map(node -> new PlacedNode(
                        node.node(),
                        node.inputs().stream()
                                .map(input -> removed.isConstant(input) ? "" : input)
                                .toList(),
                        node.place()))
                .toList();
    }

    private void bodies(FlatGraph graph, FlatNode node) {
        for (InferenceTrace body : node.step().bodies()) {
            place(graph.body(model, node, body));
        }
    }
}
