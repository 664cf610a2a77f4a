package io.knabla.functions.decoder.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.folder.StoredTensor.Layout;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.safetensors.TensorEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredTensorTest {
    private static final int OFFSET = 12;

    @TempDir
    Path folder;

    /** Three rows of five: 0 to 14. */
    private StoredTensor matrix() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(OFFSET + 15 * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 15; i++) {
            bytes.putFloat(OFFSET + i * Float.BYTES, i);
        }
        Path file = folder.resolve("model.safetensors");
        Files.write(file, bytes.array());
        var entry = new TensorEntry("m", DataType.FP32, List.of(3L, 5L), 0, 15 * Float.BYTES);
        return new StoredTensor(file, OFFSET, entry, Layout.ROWS);
    }

    private static float[] read(StoredTensor tensor, long from, int count) throws IOException {
        float[] values = new float[count];
        try (FileChannel channel = FileChannel.open(tensor.file())) {
            tensor.read(channel, from, values);
        }
        return values;
    }

    @Test
    void readsSomeRows() throws IOException {
        assertThat(read(matrix(), 5, 5)).containsExactly(5, 6, 7, 8, 9);
    }

    @Test
    void readsSomeRowsOfATransposedMatrix() throws IOException {
        StoredTensor turned = matrix().transposed();

        assertThat(turned.entry().shape()).containsExactly(5L, 3L);
        assertThat(read(turned, 0, 15)).containsExactly(0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14);
        assertThat(read(turned, 6, 6)).containsExactly(2, 7, 12, 3, 8, 13);
        assertThat(turned.transposed()).isEqualTo(matrix());
    }
}
