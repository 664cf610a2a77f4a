package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Source of bytes with streams that fail, end early or deliver small chunks, controlled by a seed. */
final class FaultySource implements RangeSource {
    private final byte[] bytes;
    private final Random random;
    private final double faults;

    /** Bytes that were read from it. */
    final AtomicLong read = new AtomicLong();

    /** @param faults share of streams that end too early, 0 to 1 */
    FaultySource(byte[] bytes, long seed, double faults) {
        this.bytes = bytes;
        this.random = new Random(seed);
        this.faults = faults;
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public String name() {
        return "'faulty'";
    }

    @Override
    public synchronized InputStream open(ByteRange range) throws IOException {
        boolean bad = random.nextDouble() < faults;
        int length = (int) Math.min(range.length(), bytes.length - range.offset());
        // At least one byte, because several empty streams count as an outage.
        int cut = bad && length > 1 ? 1 + random.nextInt(length - 1) : length;
        boolean loud = random.nextBoolean();
        int most = 1 + random.nextInt(1 << 18);
        return new FilterInputStream(new ByteArrayInputStream(bytes, (int) range.offset(), cut)) {
            @Override
            public int read(byte[] into, int offset, int wanted) throws IOException {
                int got = in.read(into, offset, Math.min(wanted, most));
                if (got < 0 && cut < length && loud) {
                    throw new IOException("reset");
                }
                read.addAndGet(Math.max(0, got));
                return got;
            }
        };
    }
}
