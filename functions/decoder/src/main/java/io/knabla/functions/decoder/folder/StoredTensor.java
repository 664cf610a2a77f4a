package io.knabla.functions.decoder.folder;

import io.knabla.functions.unit.safetensors.TensorEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A tensor in a safetensors file.
 *
 * @param offset of its first byte, counted from the start of the file
 */
public record StoredTensor(Path file, long offset, TensorEntry entry) {

    public String name() {
        return entry.name();
    }

    /** Number of elements. */
    public long elements() {
        return entry.shape().stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
    }

    /**
     * Reads elements as 32-bit numbers.
     *
     * @param from index of the first element, in row-major order
     * @param to receives as many elements as it has
     */
    public void read(FileChannel channel, long from, float[] to) throws IOException {
        int size = entry.type().bytes();
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(to.length, size));
        long at = offset + from * size;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new IOException("%s ended within tensor '%s' while it was read".formatted(file, name()));
            }
        }
        WeightTypes.decode(entry.type(), bytes.flip(), to);
    }
}
