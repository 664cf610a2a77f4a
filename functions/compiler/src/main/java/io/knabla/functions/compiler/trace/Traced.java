package io.knabla.functions.compiler.trace;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A function recorded as a graph; its saved file can be deployed with {@code ./knabla deploy}. */
public record Traced(Dag dag) {

    public ModelProto model() {
        return Exporter.write(dag);
    }

    /** Writes the model as one ONNX file with its parameters inside. */
    public void save(Path file) throws IOException {
        Files.write(file, model().toByteArray());
    }

    /** Runs the graph in the Java interpreter, which is slow. */
    public Map<String, Tensor> run(Map<String, Tensor> inputs) {
        var arrays = new LinkedHashMap<String, NdArray>();
        inputs.forEach((name, tensor) -> arrays.put(name, tensor.toNdArray()));
        var outputs = new LinkedHashMap<String, Tensor>();
        DagEvaluator.run(dag, arrays).forEach((name, array) -> outputs.put(name, Tensor.of(array)));
        return outputs;
    }
}
