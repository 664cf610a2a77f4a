package io.knabla.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;

/**
 * One object in any bucket, as people write it: {@code s3://bucket/key}. The key is everything after the bucket, taken
 * as it stands: a {@code %20} in it is three characters.
 *
 * @param bucket 3 to 63 of a-z 0-9 . -, as <a
 *     href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html">S3 names them</a>, and no IP
 *     address
 * @param key 1 to 1024 bytes of UTF-8 without control characters, no segment of it {@code .} or {@code ..}: what lies
 *     between us and the bucket may take such a key for another one
 */
public record ForeignAddress(String bucket, String key) {
    private static final String SCHEME = "s3://";

    public static boolean isForeign(String text) {
        return text.startsWith(SCHEME);
    }

    /** Empty where the text is no such address. */
    public static Optional<ForeignAddress> parse(String text) {
        int slash = text.indexOf('/', SCHEME.length());
        if (!isForeign(text) || slash < 0) {
            return Optional.empty();
        }
        var address = new ForeignAddress(text.substring(SCHEME.length(), slash), text.substring(slash + 1));
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

    /** The object that lies beside this one, as a file beside a file. */
    public Optional<ForeignAddress> beside(String relativePath) {
        return parse(SCHEME + bucket + "/" + key.substring(0, key.lastIndexOf('/') + 1) + relativePath);
    }

    /** The key's last part. */
    public String name() {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return SCHEME + bucket + "/" + key;
    }
}
