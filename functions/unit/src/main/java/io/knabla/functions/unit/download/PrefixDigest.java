package io.knabla.functions.unit.download;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/**
 * Computes the SHA-256 of a file whose bytes arrive out of order. It has no thread: each writer hashes the prefix that
 * is complete, unless another writer is hashing. So no thread waits, and the bytes are still in the CPU's cache.
 */
final class PrefixDigest {
    private static final int BUFFER = 128 << 10;

    /** Bytes that one thread hashes before it returns to its own connection. */
    private static final long TURN = 8 << 20;

    private final PartFile file;
    private final LongUnaryOperator end;
    private final ReentrantLock lock = new ReentrantLock();
    private final MessageDigest sha;
    private byte[] buffer = {};
    private long hashed;

    /** @param end maps an offset to the end of the complete range that begins there */
    PrefixDigest(PartFile file, LongUnaryOperator end) {
        this.file = file;
        this.end = end;
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Called after {@code length} bytes have been written at {@code at}. */
    void advance(long at, byte[] bytes, int length) throws IOException {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (hashed == at) {
                sha.update(bytes, 0, length);
                hashed += length;
            }
            catchUp(hashed + TURN);
        } finally {
            lock.unlock();
        }
    }

    /** The digest of the whole file in hex digits; call it when all writers have ended. */
    String finish(long size) throws IOException {
        lock.lock();
        try {
            catchUp(size);
            if (hashed != size) {
                throw new IllegalStateException("hashed " + hashed + " of " + size + " bytes");
            }
            return HexFormat.of().formatHex(sha.digest());
        } finally {
            lock.unlock();
        }
    }

    private void catchUp(long most) throws IOException {
        for (long to; (to = Math.min(most, end.applyAsLong(hashed))) > hashed; ) {
            if (buffer.length == 0) {
                buffer = new byte[BUFFER];
            }
            int read = file.read(hashed, buffer, (int) Math.min(BUFFER, to - hashed));
            sha.update(buffer, 0, read);
            hashed += read;
        }
    }
}
