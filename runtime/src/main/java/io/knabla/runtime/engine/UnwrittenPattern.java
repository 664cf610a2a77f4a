package io.knabla.runtime.engine;

import io.knabla.functions.unit.DataType;
import java.nio.ByteBuffer;

/**
 * Pattern in the memory of a tensor before it is written, which shows what was never written. Only for assertions:
 * tests run with them, replicas without.
 */
final class UnwrittenPattern {
    private static final byte PATTERN = (byte) 0xa5;

    /** A right answer is this long with nothing but the pattern in it only by design. */
    private static final int WORD = Long.BYTES;

    private UnwrittenPattern() {}

    /** Fills the tensor's memory with the pattern; always true. */
    static boolean fill(Tensor tensor) {
        ByteBuffer data = tensor.data();
        for (int i = data.position(); i < data.limit(); i++) {
            data.put(i, PATTERN);
        }
        return true;
    }

    /**
     * Whether no word of the tensor's memory is as {@link #fill} left it; a single small number may equal the pattern.
     */
    static boolean isOverwritten(Tensor tensor) {
        ByteBuffer data = tensor.data();
        int word = Math.min(WORD, data.remaining());
        if (word < Float.BYTES && tensor.type() != DataType.BOOL) {
            return true;
        }
        for (int at = data.position(); at + word <= data.limit(); at += word) {
            if (isUnwritten(data, at, word)) {
                return false;
            }
        }
        return word == 0 || !isUnwritten(data, data.limit() - word, word);
    }

    private static boolean isUnwritten(ByteBuffer data, int at, int count) {
        for (int i = at; i < at + count; i++) {
            if (data.get(i) != PATTERN) {
                return false;
            }
        }
        return true;
    }
}
