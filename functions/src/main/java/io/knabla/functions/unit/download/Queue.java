package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What is still to be fetched of all files, handed out in pieces to whoever asks. */
final class Queue {
    /** A piece costs a request, about a millisecond of a processor in all and a round trip. */
    private static final long LEAST = 2 << 20;

    /** Larger pieces let the digest fall behind and lose more when a process is killed. */
    private static final long MOST = 16 << 20;

    /** More streams than these only quarrel about the processors when the server is as near as fast. */
    static final int FEW = 3;

    /** Bytes a second that tell a near server from a far one, whose streams bring about 90 MB/s each. */
    private static final double NEAR = 450e6;

    /** The time after which a server's first bytes should have come, were it near. */
    private static final long SOON_MILLIS = 5;

    /** A range of a file, and nobody else has it. */
    record Claim(Incoming file, ByteRange range) {}

    private final List<Incoming> files;
    private final DownloadListener listener;
    private final long total;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final int pullers;
    private final long start = System.nanoTime();
    private final long resumed;
    private long unclaimed;

    Queue(List<Incoming> files, int pullers, DownloadListener listener) {
        this.files = files;
        this.pullers = pullers;
        this.listener = listener;
        long sum = 0;
        long found = 0;
        for (Incoming file : files) {
            sum += file.source().size();
            found += file.resumed();
        }
        total = sum;
        resumed = found;
        unclaimed = sum - resumed;
        done.set(resumed);
        listener.progressed(resumed, total);
    }

    /** Pieces become smaller towards the end, so that all pullers end together. */
    static long piece(long unclaimed, int pullers) {
        return Math.clamp(unclaimed / (2L * pullers), LEAST, MOST);
    }

    /** More pullers than this would find nothing to do. */
    synchronized int pieces() {
        return (int) Math.min(Integer.MAX_VALUE, files.size() + unclaimed / LEAST);
    }

    synchronized Optional<Claim> next() {
        if (stopped()) {
            return Optional.empty();
        }
        long most = piece(unclaimed, pullers);
        for (Incoming file : files) {
            Optional<ByteRange> range = file.claim(most);
            if (range.isPresent()) {
                unclaimed -= range.get().length();
                return Optional.of(new Claim(file, range.get()));
            }
        }
        // Those who wait to be needed are not.
        notifyAll();
        return Optional.empty();
    }

    /** Whether a few streams are enough, by what they have brought until now. */
    static boolean enough(long bytes, long nanos) {
        return nanos < SOON_MILLIS * 1_000_000 || bytes / (nanos / 1e9) >= NEAR;
    }

    /** For a puller beyond the {@link #FEW}: returns when it is needed or nothing is left to do. */
    synchronized void awaitNeed() throws InterruptedException {
        while (!stopped() && unclaimed > 0 && enough(done.get() - resumed, System.nanoTime() - start)) {
            wait(SOON_MILLIS);
        }
    }

    void arrived(int bytes) {
        listener.progressed(done.addAndGet(bytes), total);
    }

    boolean stopped() {
        return failure.get() != null;
    }

    /** The first failure ends everybody's work. */
    void fail(Throwable failed) {
        failure.compareAndSet(null, failed);
    }

    void throwFailure() throws IOException {
        switch (failure.get()) {
            case null -> {}
            case IOException io -> throw io;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            case Throwable other -> throw new IllegalStateException(other);
        }
    }
}
