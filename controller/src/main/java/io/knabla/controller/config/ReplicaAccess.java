package io.knabla.controller.config;

import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * URL of this server, and the key that replicas on this machine send to have prompts read by another function
 * (prefill). The key opens nothing else, unlike the token of people.
 */
@Singleton
public final class ReplicaAccess {
    private final String key;
    private volatile Optional<String> url = Optional.empty();

    public ReplicaAccess() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        key = HexFormat.of().formatHex(bytes);
    }

    /** Secret of this process. */
    public String key() {
        return key;
    }

    /** Where this server listens; empty before it does. */
    public Optional<String> url() {
        return url;
    }

    /** @param address URL of the root, as a process of this machine reaches it */
    public void listens(String address) {
        url = Optional.of(address);
    }
}
