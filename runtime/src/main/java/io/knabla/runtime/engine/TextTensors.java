package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import io.knabla.runtime.engine.CApi.Function;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Copies texts into and out of the engine's tensors as plain UTF-8. The engine's Java binding (1.29) copies them as
 * JNI's modified UTF-8, in which NUL and characters beyond the basic multilingual plane have other bytes.
 */
final class TextTensors {
    private TextTensors() {}

    /** Does what the first copy would need 25 ms for, so that it can happen while a model loads. */
    static void prepare() {
        try (OnnxTensor tensor = of(new long[] {1}, new byte[][] {{'a'}})) {
            texts(tensor);
        } catch (OrtException refused) {
            throw new IllegalStateException("the engine makes no text tensors", refused);
        }
    }

    /** Makes a tensor of these texts, which are not checked to be UTF-8. */
    static OnnxTensor of(long[] shape, byte[][] texts) throws OrtException {
        String[] empty = new String[texts.length];
        Arrays.fill(empty, "");
        OnnxTensor tensor = OnnxTensor.createTensor(Sessions.environment(), empty, shape);
        try (Arena arena = Arena.ofConfined()) {
            long handle = NativeHandles.of(tensor);
            MemorySegment pointer = arena.allocate(Long.BYTES);
            ByteBuffer address = pointer.asByteBuffer().order(ByteOrder.nativeOrder());
            for (int i = 0; i < texts.length; i++) {
                int length = texts[i].length;
                if (length > 0) {
                    CApi.call(
                            Function.GET_RESIZED_STRING_TENSOR_ELEMENT_BUFFER, handle, i, length, pointer.address(), 0);
                    CApi.memory(address.getLong(0), length).put(texts[i]);
                }
            }
            return tensor;
        } catch (OrtException | RuntimeException | Error failed) {
            tensor.close();
            throw failed;
        }
    }

    /** The bytes of the tensor's texts. */
    static byte[][] texts(OnnxTensor tensor) throws OrtException {
        int count = Math.toIntExact(tensor.getInfo().getNumElements());
        byte[][] texts = new byte[count][];
        if (count == 0) {
            return texts;
        }
        try (Arena arena = Arena.ofConfined()) {
            long handle = NativeHandles.of(tensor);
            MemorySegment starts = arena.allocate((long) count * Long.BYTES);
            CApi.call(Function.GET_STRING_TENSOR_DATA_LENGTH, handle, starts.address(), 0, 0, 0);
            ByteBuffer at = starts.asByteBuffer().order(ByteOrder.nativeOrder());
            int size = Math.toIntExact(at.getLong(0));
            // The engine refuses a null address, even for no bytes.
            MemorySegment content = arena.allocate(Math.max(1, size));
            CApi.call(Function.GET_STRING_TENSOR_CONTENT, handle, content.address(), size, starts.address(), count);
            ByteBuffer bytes = content.asByteBuffer();
            for (int i = 0; i < count; i++) {
                int start = (int) at.getLong(i * Long.BYTES);
                int end = i + 1 < count ? (int) at.getLong((i + 1) * Long.BYTES) : size;
                texts[i] = new byte[end - start];
                bytes.get(start, texts[i]);
            }
            return texts;
        }
    }
}
