package io.knabla.bench.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Files to send: one that no server can compress, and one that is only holes. */
final class Noise {
    private static final int BLOCK = 1 << 20;

    private Noise() {}

    static Path random(Path file, long size) throws IOException {
        var random = new Random(20261121);
        byte[] block = new byte[BLOCK];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = size; left > 0; left -= BLOCK) {
                random.nextBytes(block);
                out.write(block, 0, (int) Math.min(BLOCK, left));
            }
        }
        return file;
    }

    static Path sparse(Path file, long size) throws IOException {
        try (var made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(size);
        }
        return file;
    }

    /** Brings it into the page cache, so that the first reader is not the one who waits for the disk. */
    static void warm(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
