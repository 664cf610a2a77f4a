package io.knabla.functions.compiler.autodiff;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Detects export settings that are right for inference and wrong for differentiation or training. */
final class ExportPitfalls {
    private static final String EXPORT = "export with torch.onnx.export(…, optimize=False)";
    private static final int SHOWN = 3;

    private ExportPitfalls() {}

    /** Returns one warning per pitfall found. */
    static List<String> find(Dag dag) {
        var found = new ArrayList<String>();
        List<Op> ops = dag.ops();
        mergedParameters(dag, ops).ifPresent(found::add);
        found.addAll(batchNormalization(ops));
        boolean dropout = ops.stream().anyMatch(op -> op.is("Dropout") && !training(op));
        if (dropout) {
            found.add(
                    "Dropout is in its inference form and drops nothing; export the model in training mode to train with it");
        }
        return found;
    }

    /** One initializer with several uses: the exporter merged equal biases or norms. */
    private static Optional<String> mergedParameters(Dag dag, List<Op> ops) {
        Map<Value, Set<Op>> users = new HashMap<>();
        for (Op op : ops) {
            op.inputs().stream()
                    .filter(Objects::nonNull)
                    .forEach(v -> users.computeIfAbsent(v, _ -> new HashSet<>()).add(op));
        }
        List<String> shared = dag.initializers().entrySet().stream()
                .filter(e -> e.getValue().isFloat() && e.getValue().shape().isPresent())
                .filter(e -> e.getValue().rank() == 1 && uniform(e.getValue()))
                .filter(e -> users.getOrDefault(e.getValue(), Set.of()).size() > 1)
                .map(e -> "'" + e.getKey() + "'")
                .toList();
        if (shared.isEmpty()) {
            return Optional.empty();
        }
        String names = shared.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return Optional.of(
                "%s %s used by several operations and equal in all elements: the exporter seems to have merged equal parameters, and their gradients are summed; %s"
                        .formatted(
                                shared.size() > SHOWN ? names + " …" : names,
                                shared.size() == 1 ? "is" : "are",
                                EXPORT));
    }

    private static boolean uniform(Value value) {
        TensorProto tensor = value.constant().orElseThrow();
        byte[] raw = tensor.getRawData().toByteArray();
        for (int i = Float.BYTES; i < raw.length; i++) {
            if (raw[i] != raw[i - Float.BYTES]) {
                return false;
            }
        }
        return raw.length > Float.BYTES;
    }

    private static List<String> batchNormalization(List<Op> ops) {
        boolean inference = ops.stream().anyMatch(op -> op.is("BatchNormalization") && !training(op));
        if (inference) {
            return List.of(
                    "BatchNormalization is in its inference form, so its statistics stay as they are; export with dynamo=False and training=TrainingMode.TRAINING to train with those of each batch");
        }
        boolean folded = ops.stream().anyMatch(ExportPitfalls::foldedInto);
        return folded
                ? List.of(
                        "the exporter folded BatchNormalization into the weights before it; " + EXPORT + " to keep it")
                : List.of();
    }

    /** PyTorch's exporter names the bias that it makes of a normalisation after the weight. */
    private static boolean foldedInto(Op op) {
        return op.is("Conv")
                && op.has(2)
                && op.input(2).name().equals(op.input(1).name() + "_bias");
    }

    private static boolean training(Op op) {
        return op.attributes().integer("training_mode", 0) == 1
                || op.has(2)
                        && op.is("Dropout")
                        && op.input(2).scalarConstant().filter(n -> n == 1).isPresent();
    }
}
