package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Hands out the missing ranges of all files to the workers, in pieces. */
final class RangeQueue {
    /** Each piece costs one request: about a millisecond of CPU time and a round trip. */
    private static final long LEAST = 2 << 20;

    /** Larger pieces let the digest fall behind and lose more when a process is killed. */
    private static final long MOST = 16 << 20;

    /** With a near and fast server, more streams than these only compete for the processors. */
    static final int FEW = 3;

    /** Bytes per second above which a server counts as near; a far server delivers about 90 MB/s per stream. */
    private static final double NEAR = 450e6;

    /** Time by which the first bytes of a near server have arrived. */
    private static final long SOON_MILLIS = 5;

    /** A range of a file that one worker downloads. */
    record Claim(FileDownload file, ByteRange range) {}

    private final List<FileDownload> files;
    private final DownloadListener listener;
    private final long total;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final int pullers;
    private final long start = System.nanoTime();
    private final long resumed;
    private long unclaimed;

    RangeQueue(List<FileDownload> files, int pullers, DownloadListener listener) {
        this.files = files;
        this.pullers = pullers;
        this.listener = listener;
        long sum = 0;
        long found = 0;
        for (FileDownload file : files) {
            sum += file.source().size();
            found += file.resumed();
        }
        total = sum;
        resumed = found;
        unclaimed = sum - resumed;
        done.set(resumed);
        listener.progressed(resumed, total);
    }

    /** Pieces become smaller towards the end, so all workers end at about the same time. */
    static long piece(long unclaimed, int pullers) {
        return Math.clamp(unclaimed / (2L * pullers), LEAST, MOST);
    }

    /** Upper bound of the workers that would get a piece. */
    synchronized int pieces() {
        return (int) Math.min(Integer.MAX_VALUE, files.size() + unclaimed / LEAST);
    }

    synchronized Optional<Claim> next() {
        if (stopped()) {
            return Optional.empty();
        }
        long most = piece(unclaimed, pullers);
        for (FileDownload file : files) {
            Optional<ByteRange> range = file.claim(most);
            if (range.isPresent()) {
                unclaimed -= range.get().length();
                return Optional.of(new Claim(file, range.get()));
            }
        }
        // Releases the workers in awaitNeed.
        notifyAll();
        return Optional.empty();
    }

    /** Whether a few streams are enough, judged by the bytes that they have delivered. */
    static boolean fewStreamsSuffice(long bytes, long nanos) {
        return nanos < SOON_MILLIS * 1_000_000 || bytes / (nanos / 1e9) >= NEAR;
    }

    /** Blocks a worker beyond the first {@link #FEW} until it is needed or nothing is left to download. */
    synchronized void awaitNeed() throws InterruptedException {
        while (!stopped() && unclaimed > 0 && fewStreamsSuffice(done.get() - resumed, System.nanoTime() - start)) {
            wait(SOON_MILLIS);
        }
    }

    void arrived(int bytes) {
        listener.progressed(done.addAndGet(bytes), total);
    }

    boolean stopped() {
        return failure.get() != null;
    }

    /** The first failure stops all workers. */
    void fail(Throwable failed) {
        failure.compareAndSet(null, failed);
    }

    void throwFailure() throws IOException {
        if (failure.get() == null) {
            // Before the switch, which no AOT cache holds.
            return;
        }
        switch (failure.get()) {
            case IOException io -> throw io;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case Throwable other -> throw new IllegalStateException(other);
        }
    }
}
