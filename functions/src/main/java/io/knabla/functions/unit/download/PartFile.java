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
 * A file that is not there as a whole yet, of its full length from the start, and beside it notes of what has arrived:
 * lines {@code offset length}. A note follows its bytes; whether both survived a crash of the machine only the digest
 * of the whole can tell, so notes save work and promise nothing.
 */
final class PartFile implements AutoCloseable {
    /** An honest file of notes is smaller by far. */
    private static final int MAX_NOTES = 1 << 20;

    private final Path file;
    private final FileChannel bytes;
    private FileChannel notes;

    private PartFile(Path file, FileChannel bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** @param found receives what an earlier attempt left */
    static PartFile open(Path file, long size, Extents found) throws IOException {
        if (Files.isRegularFile(file) && Files.size(file) == size) {
            readNotes(notes(file), size, found);
        } else {
            // In this order, so that no crash leaves notes of bytes that are not there.
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

    /** Answers how many bytes were read, at least one. */
    int read(long at, byte[] into, int most) throws IOException {
        int read = bytes.read(ByteBuffer.wrap(into, 0, most), at);
        if (read <= 0) {
            throw new IOException(file + " became shorter while it was fetched");
        }
        return read;
    }

    /** The range has been written. */
    synchronized void note(ByteRange range) throws IOException {
        if (notes == null) {
            notes = FileChannel.open(notes(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        // The line's end comes first too: a torn line before it stays a line of its own.
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

    /** -1 for what is none. */
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
