package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.knabla.runtime.engine.CApi.Function;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * Adds ONNX Runtime's CUDA provider to the options of a session. By the engine's C API: the binding's native library in
 * the jar for CPUs (1.29) refuses to, although the provider's library loads into that engine.
 */
final class CudaProvider {
    private CudaProvider() {}

    /** @param settings the provider's options by name */
    static void add(SessionOptions options, Map<String, String> settings) throws OrtException {
        List<String> names = List.copyOf(settings.keySet());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            CApi.call(Function.CREATE_CUDA_PROVIDER_OPTIONS, made.address(), 0, 0, 0, 0);
            long cuda = made.get(JAVA_LONG, 0);
            try {
                long keys = texts(arena, names);
                long values = texts(arena, names.stream().map(settings::get).toList());
                CApi.call(Function.UPDATE_CUDA_PROVIDER_OPTIONS, cuda, keys, values, names.size(), 0);
                CApi.call(Function.APPEND_CUDA_PROVIDER, NativeHandles.of(options), cuda, 0, 0, 0);
            } finally {
                CApi.release(Function.RELEASE_CUDA_PROVIDER_OPTIONS, cuda);
            }
        }
    }

    /** The address of an array of C strings. */
    private static long texts(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size());
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        return array.address();
    }
}
