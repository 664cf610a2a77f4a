package io.knabla.runtime.engine;

import static io.knabla.runtime.engine.PinnedMemory.LARGEST_BLOCK;
import static io.knabla.runtime.engine.PinnedMemory.MOST_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.gpu.FakeCuda;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinnedMemoryOnFakeCuda {
    private static final String PINNED = "pinned " + LARGEST_BLOCK;
    private static final String UNPINNED = "unpinned " + LARGEST_BLOCK;

    private FakeCuda fake;
    private PinnedMemory memory;

    @BeforeEach
    void open() throws IOException {
        fake = FakeCuda.open();
        memory = new PinnedMemory(new CudaDevice(0, DeviceMemoryLimit.ALL, CudaLibraries.of(fake.environment())));
    }

    @AfterEach
    void close() throws IOException {
        memory.close();
        fake.close();
    }

    private List<ByteBuffer> takeAll() {
        List<ByteBuffer> taken = new ArrayList<>();
        for (long bytes = 0; bytes < MOST_BYTES; bytes += LARGEST_BLOCK) {
            taken.add(memory.take(LARGEST_BLOCK));
        }
        return taken;
    }

    private long count(String line) throws IOException {
        return fake.log().stream().filter(line::equals).count();
    }

    @Test
    void whatIsBeyondTheBoundIsPlain() throws IOException {
        List<ByteBuffer> pinned = takeAll();
        ByteBuffer beyond = memory.take(1);
        ByteBuffer large = memory.take(LARGEST_BLOCK + 1);

        assertThat(beyond.capacity()).isEqualTo(1);
        assertThat(large.capacity()).isEqualTo(LARGEST_BLOCK + 1);
        assertThat(fake.log().stream().filter(line -> line.startsWith("pinned")))
                .hasSize(pinned.size())
                .containsOnly(PINNED);
    }

    @Test
    void blocksAreUsedAgain() throws IOException {
        List<ByteBuffer> pinned = takeAll();
        ByteBuffer block = pinned.getLast();
        block.put(7, (byte) 42);
        memory.give(block);

        ByteBuffer again = memory.take(LARGEST_BLOCK - 1);

        assertThat(again.capacity()).isEqualTo(LARGEST_BLOCK - 1);
        assertThat(again.get(7)).isEqualTo((byte) 42);
        assertThat(count(PINNED)).isEqualTo(pinned.size());
    }

    /** A request may still be read, or its answer be written, when the model is closed. */
    @Test
    void whatIsLentIsFreedWhenItIsGivenBack() throws IOException {
        List<ByteBuffer> pinned = takeAll();
        memory.give(pinned.getFirst());

        memory.close();
        assertThat(count(UNPINNED)).isEqualTo(1);
        pinned.stream().skip(1).forEach(memory::give);
        pinned.forEach(memory::give);

        assertThat(count(UNPINNED)).isEqualTo(pinned.size());
    }
}
