package io.knabla.functions.unit.download;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Downloads files in parallel ranges with a heap that does not depend on their size. The next download to the same
 * files resumes what an interrupted one left. The caller must keep other processes from these files meanwhile.
 */
public final class Download {
    /**
     * One file to download.
     *
     * @param file has its full length from the start, but is complete only after the download succeeded; notes beside
     *     it let a later attempt resume until {@link #deleteNotes}
     */
    public record Item(RangeSource source, Path file) {}

    /**
     * Result of downloading one file.
     *
     * @param sha256 64 hex digits, over all bytes, including those of an earlier attempt
     * @param resumed bytes that an earlier attempt left; if the digest is wrong and this is not 0, discard the file and
     *     retry
     */
    public record Result(String sha256, long resumed) {}

    private Download() {}

    /**
     * @param parallelism concurrent streams, at least 1; the calling thread serves one of them
     * @return one result for each item, in the same order
     * @throws IOException if a file cannot be written
     * @throws io.knabla.storage.StorageException if a source cannot be read, even after retries
     */
    public static List<Result> run(List<Item> items, int parallelism, DownloadListener listener) throws IOException {
        List<FileDownload> files = new ArrayList<>();
        try {
            for (Item item : items) {
                files.add(new FileDownload(item));
            }
            var queue = new RangeQueue(files, parallelism, listener);
            pull(queue, Math.min(parallelism, queue.pieces()));
            queue.throwFailure();
            List<Result> results = new ArrayList<>();
            for (FileDownload file : files) {
                results.add(file.finish());
            }
            return results;
        } finally {
            for (FileDownload file : files) {
                file.close();
            }
        }
    }

    /** Returns when every thread has ended, so none uses a file after its channel was closed. */
    private static void pull(RangeQueue queue, int parallelism) {
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < parallelism; i++) {
            var puller = new DownloadWorker(queue, i >= RangeQueue.FEW);
            others.add(Thread.ofPlatform().daemon().name("fetch-" + i).start(puller));
        }
        new DownloadWorker(queue, false).run();
        boolean interrupted = false;
        for (Thread other : others) {
            interrupted |= join(other, queue);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether this thread was interrupted, which stops the download. */
    private static boolean join(Thread other, RangeQueue queue) {
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

    /** Whether the file already has its full length, so its space is reserved. */
    public static boolean reserved(Path file, long size) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) == size;
    }

    /**
     * Gives the file its full length, which other processes count as used space; keeps what an earlier attempt left.
     */
    public static void reserve(Path file, long size) throws IOException {
        PartFile.open(file, size, new Extents()).close();
    }

    /** Deletes the notes of a file that is complete and verified. */
    public static void deleteNotes(Path file) throws IOException {
        Files.deleteIfExists(PartFile.notes(file));
    }

    /** Deletes the file and its notes. */
    public static void discard(Path file) throws IOException {
        PartFile.delete(file);
    }
}
