package io.knabla.controller.auth;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Reads the secret of an {@code Authorization} header; empty for another scheme, or if it is malformed. */
final class Authorization {
    private Authorization() {}

    /** RFC 6750. */
    static Optional<String> bearer(String header) {
        return credentials(header, "bearer ");
    }

    /** The password of RFC 7617; a name has no colon. */
    static Optional<String> basic(String header) {
        return credentials(header, "basic ")
                .flatMap(Authorization::decoded)
                .filter(pair -> pair.indexOf(':') >= 0)
                .map(pair -> pair.substring(pair.indexOf(':') + 1));
    }

    private static Optional<String> credentials(String header, String scheme) {
        return header.regionMatches(true, 0, scheme, 0, scheme.length())
                ? Optional.of(header.substring(scheme.length()).strip())
                : Optional.empty();
    }

    private static Optional<String> decoded(String base64) {
        try {
            return Optional.of(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
