package io.knabla.runtime.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Compression of a body: gzip (RFC 1952), or deflate in its zlib form (RFC 1950), as RFC 9110, section 8.4.1, has it.
 */
public enum ContentCoding {
    GZIP,
    DEFLATE;

    /** Shorter bodies fit in a packet or two whether they are compressed or not. */
    private static final int LEAST_BYTES = 1 << 10;

    private static final int PIECE = 8 << 10;

    /** The coding that a Content-Encoding header names; null for {@code identity} or no header. */
    static ContentCoding of(String header) {
        if (header == null || header.isBlank() || header.strip().equalsIgnoreCase("identity")) {
            return null;
        }
        return switch (header.strip().toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> GZIP;
            case "deflate" -> DEFLATE;
            default ->
                throw new HttpFault(
                        415,
                        "Content-Encoding is '%s'; a body may be compressed with gzip or deflate, or sent as it is"
                                .formatted(header.length() <= 80 ? header : header.substring(0, 80) + "…"));
        };
    }

    /**
     * Compresses a response if the client accepts a coding. Binary bodies are compressed only if it names a single one,
     * as Triton's client does when it is told to: most libraries always send a list, and floats hardly shrink.
     *
     * @param accepted value of Accept-Encoding
     */
    static HttpResponse compress(HttpResponse response, String accepted) {
        boolean binary = response.type() == null || !response.type().contains("json");
        if (response.length() < LEAST_BYTES || binary && accepted.contains(",")) {
            return response;
        }
        ContentCoding coding = accepted(accepted);
        return coding == null ? response : coding.compress(response);
    }

    /** The first coding of the list that is ours and not excluded by {@code q=0}; null for none. */
    private static ContentCoding accepted(String header) {
        for (String part : header.toLowerCase(Locale.ROOT).split(",")) {
            String[] words = part.strip().split("\\s*;\\s*");
            boolean excluded = words.length > 1 && words[1].matches("q=0(\\.0*)?");
            switch (excluded ? "" : words[0]) {
                case "gzip", "x-gzip", "*" -> {
                    return GZIP;
                }
                case "deflate" -> {
                    return DEFLATE;
                }
                default -> {}
            }
        }
        return null;
    }

    private HttpResponse compress(HttpResponse response) {
        var packed = new ByteArrayOutputStream(response.length() / 2);
        try (OutputStream out = deflating(packed)) {
            out.write(response.body(), 0, response.length());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        byte[] bytes = packed.toByteArray();
        return new HttpResponse(response.status(), response.type(), response.headers(), bytes, bytes.length)
                .withHeaders("Content-Encoding: " + name().toLowerCase(Locale.ROOT) + "\r\nVary: Accept-Encoding\r\n");
    }

    private OutputStream deflating(OutputStream into) throws IOException {
        return switch (this) {
            case GZIP ->
                new GZIPOutputStream(into, PIECE) {
                    {
                        def.setLevel(Deflater.BEST_SPEED);
                    }
                };
            case DEFLATE -> {
                var fast = new Deflater(Deflater.BEST_SPEED);
                yield new DeflaterOutputStream(into, fast, PIECE) {
                    @Override
                    public void close() throws IOException {
                        super.close();
                        fast.end();
                    }
                };
            }
        };
    }

    /** Inflates what this coding has packed; reading fails if it is malformed, or something follows it. */
    public InputStream inflating(InputStream packed) {
        return switch (this) {
            case GZIP -> new GzipMembers(packed, PIECE);
            case DEFLATE -> new Zlib(packed);
        };
    }

    /** One stream of zlib, and nothing behind it. */
    private static final class Zlib extends InflaterInputStream {
        Zlib(InputStream packed) {
            super(packed);
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            if (count < 0 && (inf.getRemaining() > 0 || in.read() >= 0)) {
                throw new ZipException("something follows its compressed data");
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            super.close();
            inf.end();
        }
    }
}
