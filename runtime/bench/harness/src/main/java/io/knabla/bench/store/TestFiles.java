package io.knabla.bench.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Creates files to upload: random bytes that do not compress, or a sparse file. */
final class TestFiles {
    private static final int BLOCK = 1 << 20;

    private TestFiles() {}

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

    /** Reads the file into the page cache, because the first reader must not wait for the disk. */
    static void warm(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
