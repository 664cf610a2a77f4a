package io.knabla.functions.unit.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ByteRange;
import io.knabla.storage.StorageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests downloads from faulty sources, resuming and scheduling of streams. */
class DownloadTest {
    private static final int SIZE = (9 << 20) + 12_345;

    @TempDir
    Path folder;

    private final byte[] bytes = new byte[SIZE];

    @BeforeEach
    void fill() {
        new Random(2).nextBytes(bytes);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void downloadsEveryByteOverBreakingStreams(long seed) throws IOException {
        Path file = folder.resolve("file");
        var source = new FaultySource(bytes, seed, 0.7);

        Download.Result result = run(source, file, 1 + (int) (seed % 5));

        assertThat(file).hasBinaryContent(bytes);
        assertThat(result).isEqualTo(new Download.Result(hex(bytes), 0));
        // A broken stream is resumed where it broke, so no byte is fetched twice.
        assertThat(source.read).hasValue(SIZE);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void resumesAnInterruptedDownload(long seed) throws IOException {
        Path file = folder.resolve("file");
        var first = new FaultySource(bytes, seed, 0.5);
        int stop = new Random(seed).nextInt(SIZE);
        assertThatThrownBy(() -> run(outage(first, stop), file, 3))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot read 'faulty' from byte")
                .hasMessageContaining("no route");
        var second = new FaultySource(bytes, seed, 0.5);

        Download.Result result = run(second, file, 3);

        assertThat(file).hasBinaryContent(bytes);
        assertThat(result.sha256()).isEqualTo(hex(bytes));
        assertThat(result.resumed()).isEqualTo(first.read.get());
        assertThat(second.read).hasValue(SIZE - first.read.get());
    }

    /** A source that fails after this number of bytes. */
    private static RangeSource outage(FaultySource below, long after) {
        return new RangeSource() {
            @Override
            public long size() {
                return below.size();
            }

            @Override
            public String name() {
                return below.name();
            }

            @Override
            public InputStream open(ByteRange range) throws IOException {
                if (below.read.get() >= after) {
                    throw new IOException("no route");
                }
                return below.open(new ByteRange(range.offset(), Math.min(range.length(), 64 << 10)));
            }
        };
    }

    @Test
    void aWrongNoteGivesAWrongDigest() throws IOException {
        Path file = folder.resolve("file");
        Files.write(file, new byte[SIZE]);
        Files.writeString(PartFile.notes(file), "\n100 4000\n\n0 50");

        Download.Result result = run(new FaultySource(bytes, 1, 0), file, 2);

        assertThat(result.resumed()).isEqualTo(4000);
        assertThat(result.sha256()).isNotEqualTo(hex(bytes));
        Download.discard(file);
        assertThat(run(new FaultySource(bytes, 1, 0), file, 2).sha256()).isEqualTo(hex(bytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0 1",
                "nonsense\n",
                "\n-1 5\n",
                "\n0 99999999999\n",
                "\n9223372036854775807 9223372036854775807\n",
                "\n1\n",
                "\n1 2 3\n"
            })
    void ignoresInvalidNotes(String notes) throws IOException {
        Path file = folder.resolve("file");
        Files.write(file, new byte[SIZE]);
        Files.writeString(PartFile.notes(file), notes);

        assertThat(run(new FaultySource(bytes, 1, 0), file, 2)).isEqualTo(new Download.Result(hex(bytes), 0));
    }

    @Test
    void doesNotResumeAFileOfAnotherLength() throws IOException {
        Path file = folder.resolve("file");
        Files.write(file, new byte[SIZE - 1]);
        Files.writeString(PartFile.notes(file), "\n0 5000\n");

        assertThat(run(new FaultySource(bytes, 1, 0), file, 2).resumed()).isZero();
        assertThat(file).hasBinaryContent(bytes);
    }

    @Test
    void downloadsSeveralFiles() throws IOException {
        var items = new ArrayList<Download.Item>();
        var expected = new ArrayList<Download.Result>();
        var last = new AtomicLong();
        for (int size : new int[] {0, 1, 5000, 3 << 20}) {
            byte[] some = java.util.Arrays.copyOf(bytes, size);
            items.add(new Download.Item(new FaultySource(some, size, 0.5), folder.resolve("file" + size)));
            expected.add(new Download.Result(hex(some), 0));
        }

        List<Download.Result> results = Download.run(items, 4, (done, total) -> {
            assertThat(total).isEqualTo(5001 + (3 << 20));
            last.accumulateAndGet(done, Math::max);
        });

        assertThat(results).isEqualTo(expected);
        assertThat(last).hasValue(5001 + (3 << 20));
    }

    @Test
    void reportsASourceThatIsTooShort() {
        var source = new FaultySource(java.util.Arrays.copyOf(bytes, 1000), 1, 0);

        assertThatThrownBy(() -> run(longer(source), folder.resolve("file"), 2))
                .isInstanceOf(ShortSourceException.class)
                .hasMessage("'faulty' ends at byte 1000 of 2000");
    }

    private static RangeSource longer(FaultySource below) {
        return new RangeSource() {
            @Override
            public long size() {
                return 2000;
            }

            @Override
            public String name() {
                return below.name();
            }

            @Override
            public InputStream open(ByteRange range) throws IOException {
                return range.offset() < below.size() ? below.open(range) : new ByteArrayInputStream(new byte[0]);
            }
        };
    }

    @Test
    void piecesShrinkTowardsTheEnd() {
        long left = 1L << 30;
        long before = Long.MAX_VALUE;
        int pieces = 0;
        while (left > 0) {
            long piece = Math.min(left, RangeQueue.piece(left, 4));
            assertThat(piece).isPositive().isLessThanOrEqualTo(before);
            before = piece;
            left -= piece;
            pieces++;
        }
        assertThat(before).isLessThanOrEqualTo(2 << 20);
        assertThat(pieces).isLessThan(120);
    }

    @Test
    void onlyASlowServerGetsMoreStreams() {
        assertThat(RangeQueue.fewStreamsSuffice(0, 1_000_000))
                .as("too early to tell")
                .isTrue();
        assertThat(RangeQueue.fewStreamsSuffice(0, 6_000_000))
                .as("nothing came yet")
                .isFalse();
        assertThat(RangeQueue.fewStreamsSuffice(100_000_000, 100_000_000))
                .as("1 GB/s")
                .isTrue();
        assertThat(RangeQueue.fewStreamsSuffice(27_000_000, 100_000_000))
                .as("270 MB/s")
                .isFalse();
    }

    private static Download.Result run(RangeSource source, Path file, int parallelism) throws IOException {
        return Download.run(List.of(new Download.Item(source, file)), parallelism, DownloadListener.NONE)
                .getFirst();
    }

    private static String hex(byte[] bytes) {
        return Sha256.of(bytes).hex();
    }
}
