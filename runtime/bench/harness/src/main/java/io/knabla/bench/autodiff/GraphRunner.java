package io.knabla.bench.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.knabla.bench.autodiff.Workload.Input;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs a graph in ONNX Runtime on all cores, with reused input and output buffers. */
final class GraphRunner implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final Map<String, OnnxTensorLike> inputs = new LinkedHashMap<>();
    private final Map<String, OnnxValue> outputs = new LinkedHashMap<>();

    /** Configures the session options. */
    interface SessionConfigurer {
        void apply(OrtSession.SessionOptions options) throws OrtException;
    }

    GraphRunner(ModelProto model, Map<String, Input> inputs) throws OrtException {
        this(model, inputs, _ -> {});
    }

    /** @param inputs input tensors by name; missing ones are zeros */
    GraphRunner(ModelProto model, Map<String, Input> inputs, SessionConfigurer settings) throws OrtException {
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(Runtime.getRuntime().availableProcessors());
            options.setInterOpNumThreads(1);
            settings.apply(options);
            session = environment.createSession(model.toByteArray(), options);
        }
        for (ValueInfoProto input : model.getGraph().getInputList()) {
            Input given = inputs.get(input.getName());
            this.inputs.put(input.getName(), tensor(given == null ? zeros(input) : given));
        }
        for (ValueInfoProto output : model.getGraph().getOutputList()) {
            outputs.put(output.getName(), tensor(zeros(output)));
        }
    }

    private static Input zeros(ValueInfoProto value) {
        boolean whole = value.getType().getTensorType().getElemType() == TensorProto.DataType.INT64.getNumber();
        List<Long> dims = Recipe.dims(value);
        long count = dims.stream().reduce(1L, (a, b) -> a * b);
        long bytes = count * (whole ? Long.BYTES : Float.BYTES);
        return new Input(whole, dims, ByteBuffer.allocateDirect(Math.toIntExact(bytes)));
    }

    private OnnxTensor tensor(Input input) throws OrtException {
        long[] dims = input.dims().stream().mapToLong(Long::longValue).toArray();
        ByteBuffer bytes = input.bytes().duplicate().order(ByteOrder.nativeOrder());
        if (input.whole()) {
            LongBuffer whole = bytes.asLongBuffer();
            return OnnxTensor.createTensor(environment, whole, dims);
        }
        return OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), dims);
    }

    void run() throws OrtException {
        session.run(inputs, Set.of(), outputs).close();
    }

    /** Mean milliseconds of one run over {@code runs} runs. */
    double millis(int runs) throws OrtException {
        long start = System.nanoTime();
        for (int i = 0; i < runs; i++) {
            run();
        }
        return (System.nanoTime() - start) / 1e6 / runs;
    }

    double scalar(String output) throws OrtException {
        return ((OnnxTensor) outputs.get(output)).getFloatBuffer().get(0);
    }

    @Override
    public void close() throws OrtException {
        inputs.values().forEach(OnnxTensorLike::close);
        outputs.values().forEach(OnnxValue::close);
        session.close();
    }
}
