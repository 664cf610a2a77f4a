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
 * @param entry its name, type and shape; of a transposed matrix the shape after that
 */
public record StoredTensor(Path file, long offset, TensorEntry entry, Layout layout) {

    /** Order of the elements in the file. */
    public enum Layout {
        /** Row by row. */
        ROWS,
        /** Column by column, of a matrix. */
        COLUMNS
    }

    /** The same matrix with its rows as columns. */
    public StoredTensor transposed() {
        Layout other = switch (layout) {
            case ROWS -> Layout.COLUMNS;
            case COLUMNS -> Layout.ROWS;
        };
        var turned = new TensorEntry(entry.name(), entry.type(), entry.shape().reversed(), entry.begin(), entry.end());
        return new StoredTensor(file, offset, turned, other);
    }

    public String name() {
        return entry.name();
    }

    /** Number of elements. */
    public long elements() {
        return entry.shape().stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
    }

    /**
     * Reads some rows as 32-bit numbers; of a tensor without dimensions or with one, elements.
     *
     * @param from index of the first element, in row-major order; the first of a row
     * @param to receives as many elements as it has, which are whole rows
     */
    public void read(FileChannel channel, long from, float[] to) throws IOException {
        switch (layout) {
            case ROWS -> readRun(channel, from, to);
            case COLUMNS -> readColumns(channel, from, to);
        }
    }

    private void readColumns(FileChannel channel, long from, float[] to) throws IOException {
        int width = Math.toIntExact(entry.shape().getLast());
        float[] part = new float[to.length / width];
        for (int column = 0; column < width; column++) {
            readRun(channel, column * entry.shape().getFirst() + from / width, part);
            for (int row = 0; row < part.length; row++) {
                to[row * width + column] = part[row];
            }
        }
    }

    /** Reads elements that lie one behind the other. */
    private void readRun(FileChannel channel, long from, float[] to) throws IOException {
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
