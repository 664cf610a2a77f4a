package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.storage.Content;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the floating-point initializers of a model, under their names and in their order, as one safetensors file. */
final class WeightsFile {
    private WeightsFile() {}

    /** @param step the number of training steps, if the model was trained; it becomes metadata of the file */
    static Content of(ModelProto model, Optional<Long> step) {
        List<Values> weights = new ArrayList<>();
        for (TensorProto tensor : model.getGraph().getInitializerList()) {
            floating(tensor).ifPresent(type -> weights.add(values(tensor, type)));
        }
        Map<String, String> metadata = new HashMap<>();
        // Without it transformers refuses the file.
        metadata.put("format", "pt");
        step.ifPresent(number -> metadata.put(ModelExport.STEP, Long.toString(number)));
        return SafeTensors.content(weights, metadata);
    }

    /** Whole numbers are shapes and axes of the graph: no layer of another framework has them. */
    private static Optional<DataType> floating(TensorProto tensor) {
        return switch (tensor.getDataType()) {
            case TensorProto.DataType.FLOAT_VALUE,
                    TensorProto.DataType.DOUBLE_VALUE,
                    TensorProto.DataType.FLOAT16_VALUE,
                    TensorProto.DataType.BFLOAT16_VALUE -> DataType.ofOnnx(tensor.getDataType());
            default -> Optional.empty();
        };
    }

    private static Values values(TensorProto tensor, DataType type) {
        List<Long> shape = tensor.getDimsList();
        var bytes = tensor.hasRawData()
                ? tensor.getRawData()
                : TensorSource.Typed.of(tensor).toRaw();
        var spec = new TensorSpec(tensor.getName(), type, shape, Collections.nCopies(shape.size(), ""));
        return new Values(spec, bytes.asReadOnlyByteBuffer());
    }
}
