package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.folder.StoredTensor;
import io.knabla.functions.decoder.graph.WeightLayout.Placed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/** Writes the file of weights row by row, so that a model that is larger than the memory can be written. */
final class WeightWriter {
    /** Rows that are read at once have about so many elements. */
    private static final int ELEMENTS = 1 << 20;

    private final FileChannel to;

    private WeightWriter(FileChannel to) {
        this.to = to;
    }

    static void write(Path file, WeightLayout layout) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options)) {
            for (Placed placed : layout.placed()) {
                channel.position(placed.offset());
                new WeightWriter(channel).write(placed.form());
            }
        }
    }

    private void write(WeightForm form) throws IOException {
        switch (form) {
            case WeightForm.Numbers(float[] values) -> floats(values);
            case WeightForm.Rows(List<StoredTensor> tensors, float added) ->
                eachRows(tensors, (rows, _) -> floats(plus(rows, added)));
            case WeightForm.BlockValues(List<StoredTensor> tensors, BlockQuantization blocks) ->
                eachRows(tensors, (rows, width) -> values(rows, width, blocks));
            case WeightForm.BlockScales(List<StoredTensor> tensors, BlockQuantization blocks) ->
                eachRows(tensors, (rows, width) -> scales(rows, width, blocks));
        }
    }

    /** Takes some rows of a matrix. */
    private interface RowsConsumer {
        void accept(float[] rows, int width) throws IOException;
    }

    private static void eachRows(List<StoredTensor> tensors, RowsConsumer consumer) throws IOException {
        for (StoredTensor tensor : tensors) {
            int width = Math.toIntExact(tensor.entry().shape().getLast());
            int rows = Math.max(1, ELEMENTS / width);
            long all = tensor.elements() / width;
            try (FileChannel from = FileChannel.open(tensor.file())) {
                for (long row = 0; row < all; row += rows) {
                    float[] some = new float[(int) Math.min(rows, all - row) * width];
                    tensor.read(from, row * width, some);
                    requireFinite(tensor, some);
                    consumer.accept(some, width);
                }
            }
        }
    }

    /** One such weight would make every answer that it reaches no number. */
    private static void requireFinite(StoredTensor tensor, float[] values) throws IOException {
        for (float value : values) {
            if (!Float.isFinite(value)) {
                throw new IOException("tensor '%s' has a weight of %s".formatted(tensor.name(), value));
            }
        }
    }

    private static float[] plus(float[] values, float added) {
        if (added != 0) {
            for (int i = 0; i < values.length; i++) {
                values[i] += added;
            }
        }
        return values;
    }

    private void values(float[] rows, int width, BlockQuantization blocks) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(rows.length / width * blocks.rowBytes(width));
        float[] row = new float[width];
        for (int start = 0; start < rows.length; start += width) {
            System.arraycopy(rows, start, row, 0, width);
            for (int block = 0; block < blocks.inRow(width); block++) {
                blocks.encode(row, block * blocks.size(), bytes);
            }
        }
        put(bytes.flip());
    }

    private void scales(float[] rows, int width, BlockQuantization blocks) throws IOException {
        float[] scales = new float[rows.length / width * blocks.inRow(width)];
        float[] row = new float[width];
        int at = 0;
        for (int start = 0; start < rows.length; start += width) {
            System.arraycopy(rows, start, row, 0, width);
            for (int block = 0; block < blocks.inRow(width); block++) {
                scales[at++] = blocks.scale(row, block * blocks.size());
            }
        }
        floats(scales);
    }

    private void floats(float[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        put(bytes);
    }

    private void put(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }
}
