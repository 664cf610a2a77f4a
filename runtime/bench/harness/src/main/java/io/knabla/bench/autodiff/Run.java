package io.knabla.bench.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;
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

/** A graph in ONNX Runtime on all cores, its inputs and outputs in buffers that are used again. */
final class Run implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;
    private final Map<String, OnnxTensorLike> inputs = new LinkedHashMap<>();
    private final Map<String, OnnxValue> outputs = new LinkedHashMap<>();

    Run(ModelProto model, Map<String, Input> inputs) throws OrtException {
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(Runtime.getRuntime().availableProcessors());
            options.setInterOpNumThreads(1);
            session = environment.createSession(model.toByteArray(), options);
        }
        for (String name : session.getInputNames()) {
            this.inputs.put(name, tensor(inputs.get(name)));
        }
        for (ValueInfoProto output : model.getGraph().getOutputList()) {
            List<Long> dims = Recipe.dims(output);
            long count = dims.stream().reduce(1L, (a, b) -> a * b);
            ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(count * Float.BYTES));
            outputs.put(output.getName(), tensor(new Input(false, dims, bytes)));
        }
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

    /** Milliseconds of one run, the mean of several. */
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
