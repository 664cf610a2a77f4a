package io.knabla.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;

/**
 * Address of an object in any bucket: {@code s3://bucket/key}. The key is everything after the bucket, verbatim:
 * {@code %20} is three characters.
 *
 * @param bucket 3 to 63 of a-z 0-9 . -, as <a
 *     href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html">S3 names them</a>, and no IP
 *     address
 * @param key 1 to 1024 bytes of UTF-8 without control characters, no segment {@code .} or {@code ..}: a proxy on the
 *     way may resolve such a key to another one
 */
public record ExternalAddress(String bucket, String key) {
    private static final String SCHEME = "s3://";

    public static boolean isExternal(String text) {
        return text.startsWith(SCHEME);
    }

    /** Returns empty if the text is no such address. */
    public static Optional<ExternalAddress> parse(String text) {
        int slash = text.indexOf('/', SCHEME.length());
        if (!isExternal(text) || slash < 0) {
            return Optional.empty();
        }
        var address = new ExternalAddress(text.substring(SCHEME.length(), slash), text.substring(slash + 1));
        return isBucket(address.bucket) && isKey(address.key) ? Optional.of(address) : Optional.empty();
    }

    private static boolean isBucket(String name) {
        return name.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
                && !name.contains("..")
                && !name.matches("\\d+\\.\\d+\\.\\d+\\.\\d+");
    }

    private static boolean isKey(String key) {
        return !key.isEmpty()
                && !key.endsWith("/")
                && key.getBytes(UTF_8).length <= 1024
                && key.chars().noneMatch(Character::isISOControl)
                && Arrays.stream(key.split("/")).noneMatch(s -> s.equals(".") || s.equals(".."));
    }

    /** Resolves a path relative to the folder of this key. */
    public Optional<ExternalAddress> sibling(String relativePath) {
        return parse(SCHEME + bucket + "/" + key.substring(0, key.lastIndexOf('/') + 1) + relativePath);
    }

    /** Returns the last segment of the key. */
    public String name() {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return SCHEME + bucket + "/" + key;
    }
}
