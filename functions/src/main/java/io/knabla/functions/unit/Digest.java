package io.knabla.functions.unit;

import java.util.regex.Pattern;

/** A SHA-256 digest, written {@code sha256:} and 64 lower-case hex digits. */
public record Digest(String value) {
    private static final Pattern FORM = Pattern.compile("sha256:[0-9a-f]{64}");

    public Digest {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "not a digest: '%s'; write sha256: and 64 lower-case hex digits"
                            .formatted(value));
        }
    }

    /** The 64 hex digits alone. */
    public String hex() {
        return value.substring("sha256:".length());
    }

    @Override
    public String toString() {
        return value;
    }
}
