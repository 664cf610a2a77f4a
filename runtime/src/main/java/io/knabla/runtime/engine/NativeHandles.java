package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;

/** Reads addresses of the engine's native objects, which its Java binding (1.29) keeps private. */
final class NativeHandles {
    private static final Field TENSOR = tensor();

    private NativeHandles() {}

    /** The engine's table of functions. */
    static long api() throws ReflectiveOperationException {
        return (long) field(Class.forName("ai.onnxruntime.OnnxRuntime"), "ortApiHandle")
                .get(null);
    }

    static long of(OnnxTensor tensor) {
        try {
            return TENSOR.getLong(tensor);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException("a field was opened and is closed", impossible);
        }
    }

    static long of(SessionOptions options) {
        try {
            return field(SessionOptions.class, "nativeHandle").getLong(options);
        } catch (ReflectiveOperationException moved) {
            throw new IllegalStateException("this ONNX Runtime binding does not show its session options", moved);
        }
    }

    private static Field tensor() {
        try {
            return field(OnnxTensor.class.getSuperclass(), "nativeHandle");
        } catch (NoSuchFieldException moved) {
            throw new IllegalStateException("this ONNX Runtime binding does not show its tensors", moved);
        }
    }

    static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        return open(owner.getDeclaredField(name));
    }

    static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }
}
