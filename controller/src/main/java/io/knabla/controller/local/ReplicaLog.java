package io.knabla.controller.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Log file of one replica, bounded in size: when the file is full, its older half is deleted. A full disk loses lines,
 * but never stops the replica.
 */
final class ReplicaLog implements AutoCloseable {
    private static final int LAST_BYTES = 500;

    private final Path file;
    private final long mostBytes;
    private OutputStream out;
    private long size;
    private byte[] last = new byte[0];

    ReplicaLog(Path file, long mostBytes) {
        this.file = file;
        this.mostBytes = mostBytes;
    }

    Path file() {
        return file;
    }

    /** Adds a line of the controller between the replica's lines. */
    void note(String line) {
        byte[] bytes = ("[knabla] " + line + "\n").getBytes(StandardCharsets.UTF_8);
        append(bytes, bytes.length);
    }

    /** Copies until the end of the stream. */
    void pump(InputStream from) {
        byte[] buffer = new byte[8192];
        try (from) {
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                append(buffer, read);
                remember(buffer, read);
            }
        } catch (IOException closed) {
            note("cannot read further output: " + closed.getMessage());
        }
    }

    /** Last line that the replica wrote, shortened; empty if none. */
    synchronized String lastLine() {
        String text = new String(last, StandardCharsets.UTF_8).strip();
        return text.substring(text.lastIndexOf('\n') + 1).strip();
    }

    private synchronized void remember(byte[] bytes, int length) {
        int keep = Math.min(length, LAST_BYTES);
        byte[] tail = Arrays.copyOfRange(bytes, length - keep, length);
        int before = Math.min(last.length, LAST_BYTES - keep);
        byte[] joined = Arrays.copyOfRange(last, last.length - before, last.length + keep);
        System.arraycopy(tail, 0, joined, before, keep);
        last = joined;
    }

    private synchronized void append(byte[] bytes, int length) {
        try {
            if (out == null) {
                Files.createDirectories(file.getParent());
                out = open(StandardOpenOption.APPEND);
                size = Files.size(file);
            }
            out.write(bytes, 0, length);
            size += length;
            if (size > mostBytes) {
                keepNewerHalf();
            }
        } catch (IOException lost) {
            // There is no place to report this, and the replica must not stop because of its log.
            size = 0;
        }
    }

    /** Leaves the file as it is if the disk has no room for its half. */
    private void keepNewerHalf() throws IOException {
        OutputStream full = out;
        out = null;
        full.close();
        Path half = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.write(half, newerHalf());
            Files.move(half, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(half);
            out = open(StandardOpenOption.APPEND);
        }
        size = Files.size(file);
    }

    private byte[] newerHalf() throws IOException {
        byte[] all = Files.readAllBytes(file);
        int from = (int) (all.length - mostBytes / 2);
        while (from < all.length && all[from - 1] != '\n') {
            from++;
        }
        return Arrays.copyOfRange(all, from, all.length);
    }

    private OutputStream open(StandardOpenOption option) throws IOException {
        return Files.newOutputStream(file, StandardOpenOption.CREATE, option);
    }

    @Override
    public synchronized void close() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException lost) {
            // As above.
        }
    }
}
