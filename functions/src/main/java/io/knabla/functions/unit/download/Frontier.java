package io.knabla.functions.unit.download;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/**
 * SHA-256 of a file that arrives out of order. It has no thread: whoever brings bytes takes it as far as they reach
 * without a gap, unless another is at it, so that nobody waits and the bytes are still in a cache of the processor.
 */
final class Frontier {
    private static final int BUFFER = 128 << 10;

    /** Bytes that one thread takes before it looks after its own connection again. */
    private static final long TURN = 8 << 20;

    private final PartFile file;
    private final LongUnaryOperator end;
    private final ReentrantLock lock = new ReentrantLock();
    private final MessageDigest sha;
    private byte[] buffer = {};
    private long hashed;

    /** @param end how far the file is there without a gap, from an offset on */
    Frontier(PartFile file, LongUnaryOperator end) {
        this.file = file;
        this.end = end;
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** {@code length} bytes have been written at {@code at}. */
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

    /** The digest of the whole in hex digits, once nobody advances any more. */
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
