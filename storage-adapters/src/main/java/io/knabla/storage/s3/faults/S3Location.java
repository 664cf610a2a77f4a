package io.knabla.storage.s3.faults;

import io.knabla.storage.ObjectKey;

/**
 * Bucket and key prefix of a store in S3.
 *
 * @param prefix prefix of every key: empty, or segments that end in {@code /}
 */
public record S3Location(String bucket, String prefix) {
    private static final String SCHEME = "s3://";

    /** @param text {@code s3://bucket} or {@code s3://bucket/prefix} */
    public static S3Location parse(String text) {
        String rest = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : "";
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        String prefix = slash < 0 ? "" : rest.substring(slash + 1);
        while (prefix.endsWith("/")) {
            prefix = prefix.substring(0, prefix.length() - 1);
        }
        if (!bucket.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]") || !isPrefix(prefix)) {
            throw new IllegalArgumentException(
                    "the store '%s' is not a place in S3; write s3://bucket or s3://bucket/prefix, the bucket with 3 to 63 of a-z 0-9 . -, the prefix with segments of A-Z a-z 0-9 . _ - joined by '/'"
                            .formatted(text));
        }
        return new S3Location(bucket, prefix.isEmpty() ? "" : prefix + "/");
    }

    private static boolean isPrefix(String prefix) {
        try {
            return prefix.isEmpty() || !new ObjectKey(prefix).path().isEmpty();
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    public String name(ObjectKey key) {
        return prefix + key.path();
    }

    /** Returns whether {@code name} is a key of this store; the bucket may contain other objects. */
    public boolean isKey(String name) {
        return name.startsWith(prefix) && ObjectKey.isWellFormed(name.substring(prefix.length()));
    }

    public ObjectKey key(String name) {
        return new ObjectKey(name.substring(prefix.length()));
    }

    @Override
    public String toString() {
        String all = SCHEME + bucket + "/" + prefix;
        return all.substring(0, all.length() - 1);
    }
}
