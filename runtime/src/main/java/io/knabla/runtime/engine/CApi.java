package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OrtException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Calls functions of the engine's C API (onnxruntime_c_api.h) that its Java binding (1.29) lacks. */
final class CApi {
    /**
     * All parameters and results of these functions are addresses or sizes, so one handle serves all: each further one
     * would cost a start 20 ms. A function with fewer parameters does not read the rest, on x86-64 and on AArch64.
     */
    @SuppressWarnings("restricted")
    private static final MethodHandle CALL = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private static final int LONGEST_MESSAGE = 1000;

    private CApi() {}

    /** A function by its place in the API's table, which is fixed: new versions of the engine only append. */
    enum Function {
        GET_ERROR_MESSAGE(2),
        GET_STRING_TENSOR_DATA_LENGTH(53),
        GET_STRING_TENSOR_CONTENT(54),
        APPEND_CUDA_PROVIDER(204),
        CREATE_CUDA_PROVIDER_OPTIONS(205),
        UPDATE_CUDA_PROVIDER_OPTIONS(206),
        RELEASE_CUDA_PROVIDER_OPTIONS(208),
        GET_RESIZED_STRING_TENSOR_ELEMENT_BUFFER(252);

        private final MemorySegment address;

        Function(int place) {
            ByteBuffer table = memory(api(), (place + 1) * Long.BYTES);
            address = MemorySegment.ofAddress(table.getLong(place * Long.BYTES));
        }

        private static long api() {
            Sessions.environment();
            try {
                return NativeHandles.api();
            } catch (ReflectiveOperationException moved) {
                throw new IllegalStateException("this ONNX Runtime binding does not show its C API", moved);
            }
        }
    }

    /** A view of native memory. */
    @SuppressWarnings("restricted")
    static ByteBuffer memory(long address, int bytes) {
        return MemorySegment.ofAddress(address)
                .reinterpret(bytes)
                .asByteBuffer()
                .order(ByteOrder.nativeOrder());
    }

    /** Calls a function that returns a status, with arguments for its parameters and zeros behind them. */
    static void call(Function function, long a, long b, long c, long d, long e) throws OrtException {
        long status = invoke(function, a, b, c, d, e);
        if (status != 0) {
            throw new OrtException(message(invoke(Function.GET_ERROR_MESSAGE, status, 0, 0, 0, 0)));
        }
    }

    /** Calls a function that returns nothing. */
    static void release(Function function, long address) {
        invoke(function, address, 0, 0, 0, 0);
    }

    private static long invoke(Function function, long a, long b, long c, long d, long e) {
        return invoke(function.address, a, b, c, d, e);
    }

    /** Calls a function of any library, whose parameters and result are addresses or sizes. */
    static long invoke(MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (long) CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable impossible) {
            throw new IllegalStateException("native code threw an exception", impossible);
        }
    }

    private static String message(long address) {
        ByteBuffer bytes = memory(address, LONGEST_MESSAGE);
        int length = 0;
        while (length < LONGEST_MESSAGE && bytes.get(length) != 0) {
            length++;
        }
        return StandardCharsets.UTF_8.decode(bytes.slice(0, length)).toString();
    }
}
