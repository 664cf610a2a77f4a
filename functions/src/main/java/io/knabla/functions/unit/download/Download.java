package io.knabla.functions.unit.download;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Fetches files in parallel ranges with a heap that does not depend on their size. What a broken or killed download
 * leaves is found again by the next one with the same files. Whoever starts it keeps others from the same files
 * meanwhile.
 */
public final class Download {
    /**
     * What to fetch.
     *
     * @param file holds the bytes from the start, but is whole only when the download ended well; beside it lie notes
     *     for a later attempt until {@link #forget}
     */
    public record Item(RangeSource source, Path file) {}

    /**
     * What came.
     *
     * @param sha256 64 hex digits, of all bytes, those of an earlier attempt included
     * @param resumed bytes that an earlier attempt had left; where the digest is wrong and this is not 0, start anew
     */
    public record Result(String sha256, long resumed) {}

    private Download() {}

    /**
     * @param parallelism streams at once, at least 1; the calling thread serves one of them
     * @return one result for each item, in the same order
     * @throws IOException when a file cannot be written
     * @throws io.knabla.storage.StorageException when a source cannot be read, also after retries
     */
    public static List<Result> run(List<Item> items, int parallelism, DownloadListener listener) throws IOException {
        List<Incoming> files = new ArrayList<>();
        try {
            for (Item item : items) {
                files.add(new Incoming(item));
            }
            var queue = new Queue(files, parallelism, listener);
            pull(queue, Math.min(parallelism, queue.pieces()));
            queue.throwFailure();
            List<Result> results = new ArrayList<>();
            for (Incoming file : files) {
                results.add(file.finish());
            }
            return results;
        } finally {
            for (Incoming file : files) {
                file.close();
            }
        }
    }

    /** Ends when every thread has ended: none touches a file after its channel was closed. */
    private static void pull(Queue queue, int parallelism) {
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < parallelism; i++) {
            var puller = new Puller(queue, i >= Queue.FEW);
            others.add(Thread.ofPlatform().daemon().name("fetch-" + i).start(puller));
        }
        new Puller(queue, false).run();
        boolean interrupted = false;
        for (Thread other : others) {
            interrupted |= join(other, queue);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers whether this thread was interrupted, which stops the download. */
    private static boolean join(Thread other, Queue queue) {
        boolean interrupted = false;
        while (true) {
            try {
                other.join();
                return interrupted;
            } catch (InterruptedException stopped) {
                interrupted = true;
                queue.fail(new IOException("stopped while fetching", stopped));
            }
        }
    }

    /** Whether this much room on the disk is the file's already. */
    public static boolean reserved(Path file, long size) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) == size;
    }

    /** Makes the file as long as it will be, for others who count; keeps what an earlier attempt left. */
    public static void reserve(Path file, long size) throws IOException {
        PartFile.open(file, size, new Extents()).close();
    }

    /** The file is whole and verified: its notes are of no use any more. */
    public static void forget(Path file) throws IOException {
        Files.deleteIfExists(PartFile.notes(file));
    }

    /** Throws away what was fetched. */
    public static void discard(Path file) throws IOException {
        PartFile.delete(file);
    }
}
