package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import com.google.protobuf.ByteString;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs models and single operators in ONNX Runtime, the reference for these tests. */
public final class OnnxRuntime {
    private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

    private OnnxRuntime() {}

    /** One operator of opset 20 on its own. */
    static List<NdArray> run(
            String op, Collection<AttributeProto> attributes, List<NdArray> inputs, int outputs, long opset)
            throws OrtException {
        NodeProto.Builder node = NodeProto.newBuilder().setOpType(op).addAllAttribute(attributes);
        GraphProto.Builder graph = GraphProto.newBuilder().setName("g");
        var feeds = new LinkedHashMap<String, NdArray>();
        for (int i = 0; i < inputs.size(); i++) {
            NdArray input = inputs.get(i);
            node.addInput(input == null ? "" : "x" + i);
            if (input != null) {
                feeds.put("x" + i, input);
                Object[] dims = java.util.Arrays.stream(input.dims()).boxed().toArray();
                graph.addInput(Onnx.value("x" + i, input.element(), dims));
            }
        }
        for (int i = 0; i < outputs; i++) {
            node.addOutput("y" + i);
            graph.addOutput(ValueInfoProto.newBuilder().setName("y" + i));
        }
        ModelProto model = ModelProto.newBuilder()
                .setIrVersion(9)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
                .setGraph(graph.addNode(node))
                .build();
        return List.copyOf(run(model, feeds).values());
    }

    /** All outputs of a model by name, in order. */
    public static Map<String, NdArray> run(ModelProto model, Map<String, NdArray> feeds) throws OrtException {
        var tensors = new LinkedHashMap<String, OnnxTensor>();
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setSessionLogLevel(ai.onnxruntime.OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            try (OrtSession session = ENVIRONMENT.createSession(model.toByteArray(), options)) {
                for (String name : session.getInputNames()) {
                    tensors.put(name, tensor(feeds.get(name)));
                }
                try (OrtSession.Result result = session.run(tensors)) {
                    var outputs = new LinkedHashMap<String, NdArray>();
                    for (Map.Entry<String, ai.onnxruntime.OnnxValue> output : result) {
                        outputs.put(output.getKey(), array((OnnxTensor) output.getValue()));
                    }
                    return outputs;
                }
            }
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    private static OnnxTensor tensor(NdArray array) throws OrtException {
        byte[] raw = array.toProto("").getRawData().toByteArray();
        ByteBuffer bytes = ByteBuffer.allocateDirect(raw.length)
                .order(ByteOrder.nativeOrder())
                .put(raw)
                .flip();
        long[] dims = java.util.Arrays.stream(array.dims()).asLongStream().toArray();
        return OnnxTensor.createTensor(ENVIRONMENT, bytes, dims, java(array.element()));
    }

    private static OnnxJavaType java(ElementType element) {
        return switch (element) {
            case FLOAT -> OnnxJavaType.FLOAT;
            case DOUBLE -> OnnxJavaType.DOUBLE;
            case FLOAT16 -> OnnxJavaType.FLOAT16;
            case BFLOAT16 -> OnnxJavaType.BFLOAT16;
            case INT64 -> OnnxJavaType.INT64;
            case INT32 -> OnnxJavaType.INT32;
            case INT16 -> OnnxJavaType.INT16;
            case INT8 -> OnnxJavaType.INT8;
            case UINT8 -> OnnxJavaType.UINT8;
            case BOOL -> OnnxJavaType.BOOL;
            default -> throw new IllegalArgumentException(element.toString());
        };
    }

    private static NdArray array(OnnxTensor tensor) {
        TensorInfo info = tensor.getInfo();
        var proto = TensorProto.newBuilder().setDataType(element(info).number());
        for (long dim : info.getShape()) {
            proto.addDims(dim);
        }
        ByteBuffer bytes = info.getNumElements() == 0 ? ByteBuffer.allocate(0) : tensor.getByteBuffer();
        return NdArray.of(proto.setRawData(ByteString.copyFrom(bytes)).build());
    }

    /** Both enums have ONNX's names, but not its numbers. */
    private static ElementType element(TensorInfo info) {
        String name = info.onnxType.name();
        return ElementType.valueOf(name.substring("ONNX_TENSOR_ELEMENT_DATA_TYPE_".length()));
    }
}
