package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.Buffer;

/**
 * Creates ONNX Runtime tensors of unsigned types wider than a byte by reflection. The Java binding (1.29) has the
 * native call but no public API for it. A test runs every type: if a new binding moves that call, the build fails, not
 * a replica.
 */
final class UnsignedTensorBinding {
    private UnsignedTensorBinding() {}

    static OnnxTensor toOnnx(Tensor tensor) throws OrtException {
        try {
            return make(tensor);
        } catch (ReflectiveOperationException moved) {
            if (moved.getCause() instanceof OrtException refused) {
                throw refused;
            }
            throw new IllegalStateException(
                    "this ONNX Runtime binding cannot make " + tensor.type() + " tensors", moved);
        }
    }

    private static OnnxTensor make(Tensor tensor) throws ReflectiveOperationException, OrtException {
        OnnxTensorType type = switch (tensor.type()) {
            case UINT16 -> OnnxTensorType.ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16;
            case UINT32 -> OnnxTensorType.ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32;
            case UINT64 -> OnnxTensorType.ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64;
            case BOOL, UINT8, INT8, INT16, INT32, INT64, FP16, BF16, FP32, FP64, BYTES ->
                throw new IllegalStateException(tensor.type() + " is covered by the public API");
        };
        OnnxJavaType carrier = OnnxJavaType.mapFromOnnxTensorType(type);
        Object allocator =
                NativeHandles.field(OrtEnvironment.class, "defaultAllocator").get(Sessions.environment());
        long allocatorHandle =
                (long) NativeHandles.field(allocator.getClass(), "handle").get(allocator);
        Method create = NativeHandles.open(OnnxTensor.class.getDeclaredMethod(
                "createTensorFromBuffer",
                long.class,
                long.class,
                Buffer.class,
                int.class,
                long.class,
                long[].class,
                int.class));
        long handle = (long) create.invoke(
                null,
                NativeHandles.api(),
                allocatorHandle,
                tensor.data(),
                tensor.data().position(),
                (long) tensor.data().remaining(),
                tensor.shape(),
                type.value);
        Constructor<TensorInfo> info = NativeHandles.open(
                TensorInfo.class.getDeclaredConstructor(long[].class, OnnxJavaType.class, OnnxTensorType.class));
        Constructor<OnnxTensor> wrap = NativeHandles.open(OnnxTensor.class.getDeclaredConstructor(
                long.class, long.class, TensorInfo.class, Buffer.class, boolean.class));
        return wrap.newInstance(
                handle, allocatorHandle, info.newInstance(tensor.shape(), carrier, type), tensor.data(), false);
    }
}
