package io.knabla.storage.s3.direct;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.knabla.storage.s3.client.AccessKeys;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Signs GET requests to S3 without a query, by AWS Signature Version 4. Pure. See <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">its documentation</a>.
 */
final class RequestSigner {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String NO_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /** Bytes in a block of SHA-256. */
    private static final int BLOCK = 64;

    private final AccessKeys keys;
    private final String region;

    RequestSigner(AccessKeys keys, String region) {
        this.keys = keys;
        this.region = region;
    }

    /**
     * Returns all headers of the request.
     *
     * @param range value of the Range header; null for none
     */
    SortedMap<String, String> headers(URI address, String range, Instant now) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(now.getEpochSecond(), 0, ZoneOffset.UTC);
        String day = digits(time.getYear(), time.getMonthValue(), time.getDayOfMonth());
        String stamp = day + "T"
                + digits(100 + time.getHour(), time.getMinute(), time.getSecond())
                        .substring(1) + "Z";
        SortedMap<String, String> headers = new TreeMap<>();
        headers.put("host", host(address));
        if (range != null) {
            headers.put("range", range);
        }
        headers.put("x-amz-content-sha256", NO_BODY);
        headers.put("x-amz-date", stamp);
        keys.sessionToken().ifPresent(token -> headers.put("x-amz-security-token", token));
        String names = String.join(";", headers.keySet());
        String scope = day + "/" + region + "/s3/aws4_request";
        String text = String.join(
                "\n",
                ALGORITHM,
                stamp,
                scope,
                hex(sha256(canonical(address, headers, names).getBytes(UTF_8))));
        headers.put(
                "authorization",
                ALGORITHM + " Credential=" + keys.id() + "/" + scope + ", SignedHeaders=" + names + ", Signature="
                        + hex(hmac(signingKey(day), text)));
        return headers;
    }

    /** As an HTTP client sends it: without the default port of its scheme. */
    private static String host(URI address) {
        boolean usual = address.getPort() == (address.getScheme().equals("https") ? 443 : 80);
        return usual || address.getPort() < 0 ? address.getHost() : address.getHost() + ":" + address.getPort();
    }

    private static String canonical(URI address, SortedMap<String, String> headers, String names) {
        var request = new StringBuilder("GET\n").append(address.getRawPath()).append("\n\n");
        headers.forEach(
                (name, value) -> request.append(name).append(':').append(value).append('\n'));
        return request.append('\n').append(names).append('\n').append(NO_BODY).toString();
    }

    private byte[] signingKey(String day) {
        byte[] key = ("AWS4" + keys.secret()).getBytes(UTF_8);
        for (String part : new String[] {day, region, "s3", "aws4_request"}) {
            key = hmac(key, part);
        }
        return key;
    }

    /** Two digits each after the first number; no formatter: loading its classes would delay a start. */
    private static String digits(int first, int second, int third) {
        return Integer.toString((first * 100 + second) * 100 + third);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** RFC 2104 on the digest alone: {@code javax.crypto.Mac} loads all providers, which a start would wait for. */
    private static byte[] hmac(byte[] key, String text) {
        byte[] block = Arrays.copyOf(key.length > BLOCK ? sha256(key) : key, BLOCK);
        return sha256(xor(block, 0x5c), sha256(xor(block, 0x36), text.getBytes(UTF_8)));
    }

    private static byte[] xor(byte[] block, int pad) {
        byte[] result = new byte[block.length];
        for (int i = 0; i < block.length; i++) {
            result[i] = (byte) (block[i] ^ pad);
        }
        return result;
    }

    private static byte[] sha256(byte[]... parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                sha.update(part);
            }
            return sha.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
