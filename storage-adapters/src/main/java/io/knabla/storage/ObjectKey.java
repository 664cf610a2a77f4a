package io.knabla.storage;

/**
 * Key of an object: segments of {@code [A-Za-z0-9._-]} joined by {@code /}, at most 512 characters, without empty
 * segments, {@code .} or {@code ..}. A key means the same on a file system and in S3, and cannot escape the store.
 */
public record ObjectKey(String path) implements Comparable<ObjectKey> {
    private static final int MAX_LENGTH = 512;

    public ObjectKey {
        if (!isWellFormed(path)) {
            throw new IllegalArgumentException(
                    "not an object key: '%s'; segments of A-Z a-z 0-9 . _ - joined by '/', at most %d characters"
                            .formatted(path, MAX_LENGTH));
        }
    }

    /** Returns whether {@code path} is a valid key; for names that did not come from Knabla. */
    // A loop, not a regular expression: a starting replica would pay for loading that machinery.
    public static boolean isWellFormed(String path) {
        if (path.length() > MAX_LENGTH) {
            return false;
        }
        int start = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '/') {
                if (!isSegment(path, start, i)) {
                    return false;
                }
                start = i + 1;
            } else if (!isAllowed(c)) {
                return false;
            }
        }
        return isSegment(path, start, path.length());
    }

    private static boolean isAllowed(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c == '.' || c == '_' || c == '-';
    }

    private static boolean isSegment(String path, int start, int end) {
        int length = end - start;
        if (length > 2) {
            return true;
        }
        return length > 0 && !(path.charAt(start) == '.' && path.charAt(end - 1) == '.');
    }

    public static ObjectKey of(String first, String... more) {
        return new ObjectKey(more.length == 0 ? first : first.concat("/").concat(String.join("/", more)));
    }

    @Override
    public int compareTo(ObjectKey other) {
        return path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return path;
    }
}
