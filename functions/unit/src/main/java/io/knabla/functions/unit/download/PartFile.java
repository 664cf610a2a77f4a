package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.StringTokenizer;

/**
 * A partially downloaded file in its full length, with a file of notes that list the ranges present as lines
 * {@code offset length}. A note is written after its bytes, but a crash of the machine may lose either, so only the
 * digest of the whole file proves that it is complete.
 */
final class PartFile implements AutoCloseable {
    /** A valid file of notes is far smaller. */
    private static final int MAX_NOTES = 1 << 20;

    private final Path file;
    private final FileChannel bytes;
    private FileChannel notes;

    private PartFile(Path file, FileChannel bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** @param found receives the ranges that an earlier attempt left */
    static PartFile open(Path file, long size, Extents found) throws IOException {
        if (Files.isRegularFile(file) && Files.size(file) == size) {
            readNotes(notes(file), size, found);
        } else {
            // In this order, a crash never leaves notes of bytes that are missing.
            Files.deleteIfExists(notes(file));
            Files.deleteIfExists(file);
        }
        FileChannel bytes =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (bytes.size() < size) {
                bytes.write(ByteBuffer.allocate(1), size - 1);
            }
            return new PartFile(file, bytes);
        } catch (IOException | RuntimeException failed) {
            bytes.close();
            throw failed;
        }
    }

    static Path notes(Path file) {
        return file.resolveSibling(file.getFileName() + ".ranges");
    }

    static void delete(Path file) throws IOException {
        Files.deleteIfExists(notes(file));
        Files.deleteIfExists(file);
    }

    void write(long at, byte[] from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(from, 0, length);
        while (buffer.hasRemaining()) {
            bytes.write(buffer, at + buffer.position());
        }
    }

    /** Returns the number of bytes read, at least one. */
    int read(long at, byte[] into, int most) throws IOException {
        int read = bytes.read(ByteBuffer.wrap(into, 0, most), at);
        if (read <= 0) {
            throw new IOException(file + " became shorter while it was fetched");
        }
        return read;
    }

    /** Records that the range has been written. */
    synchronized void note(ByteRange range) throws IOException {
        if (notes == null) {
            notes = FileChannel.open(notes(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        // Starts with a newline too, so an incomplete line before it stays separate.
        String line = "\n" + range.offset() + " " + range.length() + "\n";
        notes.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
    }

    private static void readNotes(Path notes, long size, Extents found) throws IOException {
        if (!Files.isRegularFile(notes) || Files.size(notes) > MAX_NOTES) {
            Files.deleteIfExists(notes);
            return;
        }
        String text = Files.readString(notes, StandardCharsets.ISO_8859_1);
        var lines = new StringTokenizer(text.substring(0, text.lastIndexOf('\n') + 1), "\n");
        while (lines.hasMoreTokens()) {
            var words = new StringTokenizer(lines.nextToken(), " ");
            if (words.countTokens() == 2) {
                long offset = number(words.nextToken());
                long length = number(words.nextToken());
                if (offset >= 0 && length >= 0 && length <= size - offset) {
                    found.add(new ByteRange(offset, length));
                }
            }
        }
    }

    /** Returns -1 if the text is not a number. */
    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException torn) {
            return -1;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        try (bytes) {
            if (notes != null) {
                notes.close();
            }
        }
    }
}
