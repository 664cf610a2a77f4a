package io.knabla.storage;

import java.util.regex.Pattern;

/**
 * The name of one object: segments of {@code [A-Za-z0-9._-]} joined by {@code /}, at most 512
 * characters, no empty segment, none that is {@code .} or {@code ..}. So a key means the same on a
 * file system and in S3, and can never leave the store.
 */
public record ObjectKey(String path) implements Comparable<ObjectKey> {
    private static final int MAX_LENGTH = 512;
    private static final Pattern ALLOWED =
            Pattern.compile("(?!\\.{1,2}(/|$))[\\w.-]+(/(?!\\.{1,2}(/|$))[\\w.-]+)*");

    public ObjectKey {
        if (path.length() > MAX_LENGTH || !ALLOWED.matcher(path).matches()) {
            throw new IllegalArgumentException(
                    "not an object key: '%s'; segments of A-Z a-z 0-9 . _ - joined by '/', at most %d characters"
                            .formatted(path, MAX_LENGTH));
        }
    }

    public static ObjectKey of(String first, String... more) {
        return new ObjectKey(more.length == 0 ? first : first + "/" + String.join("/", more));
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
