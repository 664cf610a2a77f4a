package io.knabla.functions.unit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Incremental SHA-256 for one thread; {@link #digest} finishes it. */
public final class Sha256 {
    private static final int BUFFER = 256 << 10;

    private final MessageDigest sha;

    public Sha256() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    public Sha256 update(byte[] bytes, int offset, int length) {
        sha.update(bytes, offset, length);
        return this;
    }

    /** Hashes the buffer's remaining bytes. */
    public Sha256 update(ByteBuffer bytes) {
        sha.update(bytes);
        return this;
    }

    public Digest digest() {
        return Digest.ofHex(HexFormat.of().formatHex(sha.digest()));
    }

    public static Digest of(byte[] bytes) {
        return new Sha256().update(bytes, 0, bytes.length).digest();
    }

    /** Reads to the end; does not close. */
    public static Digest of(InputStream in) throws IOException {
        return blob(in).digest();
    }

    /** Reads to the end and returns the digest and size of the bytes; does not close. */
    static Blob blob(InputStream in) throws IOException {
        var sha = new Sha256();
        byte[] buffer = new byte[BUFFER];
        long size = 0;
        for (int read; (read = in.read(buffer)) >= 0; size += read) {
            sha.update(buffer, 0, read);
        }
        return new Blob(sha.digest(), size);
    }
}
