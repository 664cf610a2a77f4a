package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Converts tensors to ONNX Runtime tensors and back; inputs are not copied. */
final class TensorBinding {
    private TensorBinding() {}

    static OnnxTensor toOnnx(Tensor tensor) throws OrtException {
        if (tensor.handle == null) {
            tensor.handle = make(tensor);
        }
        return tensor.handle;
    }

    private static OnnxTensor make(Tensor tensor) throws OrtException {
        if (tensor.texts() != null) {
            return TextTensors.of(tensor.shape(), tensor.texts());
        }
        OnnxJavaType type = switch (tensor.type()) {
            case BOOL -> OnnxJavaType.BOOL;
            case UINT8 -> OnnxJavaType.UINT8;
            case INT8 -> OnnxJavaType.INT8;
            case INT16 -> OnnxJavaType.INT16;
            case INT32 -> OnnxJavaType.INT32;
            case INT64 -> OnnxJavaType.INT64;
            case FP16 -> OnnxJavaType.FLOAT16;
            case BF16 -> OnnxJavaType.BFLOAT16;
            case FP32 -> OnnxJavaType.FLOAT;
            case FP64 -> OnnxJavaType.DOUBLE;
            case UINT16, UINT32, UINT64 -> null;
            case BYTES -> throw new IllegalStateException("texts without strings");
        };
        return type == null
                ? UnsignedTensorBinding.toOnnx(tensor)
                : OnnxTensor.createTensor(Sessions.environment(), tensor.data(), tensor.shape(), type);
    }

    /** Copies a result out of memory that the engine allocated. */
    static Tensor fromOnnx(String name, OnnxTensor result) throws OrtException {
        TensorInfo info = result.getInfo();
        DataType type = DataType.ofOnnx(onnxNumber(info))
                .orElseThrow(() -> new OrtException("output '" + name + "' has a type that no client can read"));
        if (type == DataType.BYTES) {
            return Tensor.texts(name, info.getShape(), TextTensors.texts(result));
        }
        ByteBuffer data = result.getByteBuffer();
        if (data == null) {
            data = ByteBuffer.allocate(0);
        }
        return Tensor.numbers(name, type, info.getShape(), data.order(ByteOrder.LITTLE_ENDIAN));
    }

    private static int onnxNumber(TensorInfo info) {
        return switch (info.onnxType) {
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DataType.FP32.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DataType.UINT8.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DataType.INT8.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 -> DataType.UINT16.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DataType.INT16.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DataType.INT32.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DataType.INT64.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING -> DataType.BYTES.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DataType.BOOL.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DataType.FP16.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DataType.FP64.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 -> DataType.UINT32.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 -> DataType.UINT64.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 -> DataType.BF16.onnx();
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64,
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128,
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN,
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ,
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2,
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ -> -1;
        };
    }
}
