package io.knabla.bench.store;

import java.io.IOException;
import java.net.URI;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Downloads an object by range requests over a few plain connections, straight into a mapped file. */
final class RangeDownload {
    private static final int CONNECTIONS = 4;
    private static final long RANGE = 8 << 20;

    /** Bytes per mapped buffer; one buffer maps at most 2 GiB. */
    private static final long WINDOW = 1L << 30;

    private RangeDownload() {}

    static void fetch(URI presigned, Path to, long size) throws Exception {
        try (FileChannel file = FileChannel.open(
                        to, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
                ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<MappedByteBuffer> windows = map(file, size);
            var next = new AtomicLong();
            Callable<Void> reader = () -> {
                readAll(presigned, windows, next, size);
                return null;
            };
            var readers = new ArrayList<Callable<Void>>();
            for (int i = 0; i < CONNECTIONS; i++) {
                readers.add(reader);
            }
            for (var done : threads.invokeAll(readers)) {
                done.get();
            }
        }
    }

    private static List<MappedByteBuffer> map(FileChannel file, long size) throws IOException {
        var windows = new ArrayList<MappedByteBuffer>();
        for (long at = 0; at < size; at += WINDOW) {
            windows.add(file.map(FileChannel.MapMode.READ_WRITE, at, Math.min(WINDOW, size - at)));
        }
        return windows;
    }

    private static void readAll(URI presigned, List<MappedByteBuffer> windows, AtomicLong next, long size)
            throws IOException {
        for (long at; (at = next.getAndAdd(RANGE)) < size; ) {
            var window = windows.get((int) (at / WINDOW));
            int length = (int) Math.min(RANGE, size - at);
            try (var connection = new RawConnection(presigned)) {
                connection.get(presigned, at, window.slice((int) (at % WINDOW), length));
            }
        }
    }
}
