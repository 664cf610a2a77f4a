package io.knabla.storage.s3.client;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32;

/** Computes checksums in the form of S3 headers. */
public final class Digests {
    private Digests() {}

    /** As in {@code x-amz-checksum-crc32}: big-endian, Base64. */
    public static String crc32(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return header(crc);
    }

    public static String header(CRC32 crc) {
        byte[] value =
                ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
        return Base64.getEncoder().encodeToString(value);
    }

    /**
     * Returns whether the etag of a part is the MD5 of these bytes; always false if the server encrypts with KMS keys.
     */
    public static boolean isMd5(String etag, byte[] bytes, int length) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(bytes, 0, length);
            return etag.replace("\"", "").equals(HexFormat.of().formatHex(md5.digest()));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
