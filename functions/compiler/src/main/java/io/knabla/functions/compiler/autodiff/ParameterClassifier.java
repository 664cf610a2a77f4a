package io.knabla.functions.compiler.autodiff;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which initializers are trainable parameters. ONNX does not distinguish parameters from buffers and constants:
 * names and uses decide, and every excluded initializer is reported.
 */
final class ParameterClassifier {
    /** Names that exporters generate for tensors without a name in the model's code. */
    private static final Pattern GENERATED =
            Pattern.compile("val_\\d+|onnx::.*|scalar_tensor.*|_?[a-z_]*_default(_\\d+)?|v\\d+|const.*|c\\d+");

    /** Names that frameworks give to tensors that are not trained. */
    private static final Pattern BUFFER =
            Pattern.compile(".*(running_mean|running_var|num_batches_tracked|inv_freq|position_ids)");

    private static final Set<String> WEIGHTED = Set.of(
            "MatMul",
            "Gemm",
            "Conv",
            "ConvTranspose",
            "LSTM",
            "GRU",
            "RNN",
            "Gather",
            "LayerNormalization",
            "InstanceNormalization",
            "BatchNormalization",
            "RMSNormalization",
            "GroupNormalization",
            "Einsum");

    private final Map<Value, Op> users = new HashMap<>();
    private final Map<Value, Integer> places = new HashMap<>();

    private ParameterClassifier(Dag dag) {
        for (Op op : dag.ops()) {
            for (int i = 0; i < op.inputs().size(); i++) {
                if (op.input(i) != null) {
                    users.putIfAbsent(op.input(i), op);
                    places.putIfAbsent(op.input(i), i);
                }
            }
        }
    }

    /** Whether an initializer is a parameter, and why. */
    record Classification(String name, boolean parameter, String reason) {}

    /** Classifies every floating-point initializer that the graph uses. */
    static List<Classification> classifyAll(Dag dag) {
        var parameters = new ParameterClassifier(dag);
        return dag.initializers().entrySet().stream()
                .filter(e -> e.getValue().isFloat() && parameters.users.containsKey(e.getValue()))
                .map(e -> parameters.classify(e.getKey(), e.getValue()))
                .toList();
    }

    private Classification classify(String name, Value value) {
        Op user = users.get(value);
        int place = places.get(value);
        if (BUFFER.matcher(name).matches()) {
            return new Classification(name, false, "its name is that of a buffer");
        }
        if (user.is("BatchNormalization") && place >= 3) {
            return new Classification(name, false, "it holds running statistics");
        }
        boolean generated = GENERATED.matcher(name).matches();
        if (generated && !(WEIGHTED.contains(user.type()) && place > 0 || user.is("Gather"))) {
            return new Classification(name, false, "the exporter named it, and it is used as a constant of " + user);
        }
        if (!finite(value.constant().orElseThrow())) {
            return new Classification(name, false, "it holds infinite values, as masks do");
        }
        return new Classification(name, true, generated ? "it is a weight of " + user : "it is named");
    }

    /** Checks only data in the model file; no mask is so large that it lies outside. */
    private static boolean finite(TensorProto tensor) {
        if (tensor.getDataType() != TensorProto.DataType.FLOAT_VALUE) {
            return true;
        }
        ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        while (raw.remaining() >= Float.BYTES) {
            if (!Float.isFinite(raw.getFloat())) {
                return false;
            }
        }
        return tensor.getFloatDataList().stream().allMatch(Float::isFinite);
    }
}
