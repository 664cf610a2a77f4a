package io.knabla.bench.autodiff;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model exported by PyTorch, with its inputs and with the loss as part of the graph.
 *
 * @param loss expected loss, computed by PyTorch
 */
record Workload(String name, ModelProto model, Map<String, Input> inputs, double loss) {
    /** @param whole true for INT64, false for FLOAT */
    record Input(boolean whole, List<Long> dims, ByteBuffer bytes) {}

    /** @param name name of a model skeleton among the resources */
    static Workload read(String name) {
        try (InputStream in = Workload.class.getResourceAsStream("/autodiff/" + name + ".onnx")) {
            ModelProto.Builder model = ModelProto.parseFrom(in).toBuilder();
            double loss = Double.parseDouble(model.getMetadataProps(0).getValue());
            GraphProto.Builder graph = model.getGraphBuilder();
            for (int i = 0; i < graph.getInitializerCount(); i++) {
                TensorProto tensor = graph.getInitializer(i);
                int at = i;
                Recipe.of(tensor.getDocString()).ifPresent(recipe -> graph.setInitializer(at, recipe.fill(tensor)));
            }
            var inputs = new LinkedHashMap<String, Input>();
            graph.getInputList().forEach(value -> inputs.put(value.getName(), input(value)));
            return new Workload(name, model.build(), inputs, loss);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Input input(ValueInfoProto value) {
        Recipe recipe = Recipe.of(value.getDocString()).orElseThrow();
        List<Long> dims = Recipe.dims(value);
        long count = dims.stream().reduce(1L, (a, b) -> a * b);
        return new Input(recipe.whole(), dims, recipe.bytes(count));
    }
}
