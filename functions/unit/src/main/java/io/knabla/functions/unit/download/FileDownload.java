package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** State of one file during its download: ranges present, ranges not yet claimed, and the digest so far. */
final class FileDownload implements AutoCloseable {
    private final RangeSource source;
    private final PartFile file;
    private final PrefixDigest frontier;
    private final Extents there = new Extents();
    private final Deque<ByteRange> unclaimed;
    private final long resumed;

    FileDownload(Download.Item item) throws IOException {
        source = item.source();
        file = PartFile.open(item.file(), source.size(), there);
        frontier = new PrefixDigest(file, this::end);
        unclaimed = new ArrayDeque<>(there.gaps(source.size()));
        resumed = there.bytes();
    }

    RangeSource source() {
        return source;
    }

    /** Bytes that an earlier attempt left. */
    long resumed() {
        return resumed;
    }

    /** Claims the next range that no thread downloads, in the file's order. */
    synchronized Optional<ByteRange> claim(long most) {
        ByteRange gap = unclaimed.poll();
        if (gap != null && gap.length() > most) {
            unclaimed.addFirst(new ByteRange(gap.offset() + most, gap.length() - most));
            return Optional.of(new ByteRange(gap.offset(), most));
        }
        return Optional.ofNullable(gap);
    }

    void arrived(long at, byte[] bytes, int length) throws IOException {
        file.write(at, bytes, length);
        synchronized (this) {
            there.add(new ByteRange(at, length));
        }
        frontier.advance(at, bytes, length);
    }

    /** Records that this range is complete, for a later attempt. */
    void note(ByteRange range) throws IOException {
        if (range.length() > 0 && range.length() < source.size()) {
            file.note(range);
        }
    }

    Download.Result finish() throws IOException {
        return new Download.Result(frontier.finish(source.size()), resumed);
    }

    private synchronized long end(long from) {
        return there.contiguousEnd(from);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
