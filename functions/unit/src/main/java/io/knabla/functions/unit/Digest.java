package io.knabla.functions.unit;

/** A SHA-256 digest, written {@code sha256:} and 64 lower-case hex digits. */
public record Digest(String value) {
    private static final String PREFIX = "sha256:";
    private static final int LENGTH = PREFIX.length() + 64;

    public Digest {
        if (!wellFormed(value)) {
            throw new IllegalArgumentException(
                    "not a digest: '%s'; write sha256: and 64 lower-case hex digits".formatted(value));
        }
    }

    /** The 64 hex digits alone. */
    public String hex() {
        return value.substring(PREFIX.length());
    }

    /** The digest with these 64 hex digits. */
    public static Digest ofHex(String hex) {
        return new Digest(PREFIX + hex);
    }

    /** A loop instead of a regular expression: a replica checks a digest before its first answer. */
    private static boolean wellFormed(String value) {
        if (value.length() != LENGTH || !value.startsWith(PREFIX)) {
            return false;
        }
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            char c = value.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /** Not the record's own, nor is {@link #hashCode}: no AOT cache holds them, and a start would derive them anew. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Digest digest && value.equals(digest.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
