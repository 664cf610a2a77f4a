package io.knabla.storage.s3.client;

import java.util.Optional;

/**
 * Credentials that requests are signed with.
 *
 * @param sessionToken of temporary credentials
 */
public record AccessKeys(String id, String secret, Optional<String> sessionToken) {
    @Override
    public String toString() {
        return "AccessKeys[id=" + id + "]";
    }
}
