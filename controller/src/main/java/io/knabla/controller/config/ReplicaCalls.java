package io.knabla.controller.config;

import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * How replicas on this machine call other functions: the address of this server, and a key for what only replicas call.
 * It opens nothing else, unlike the token of people.
 */
@Singleton
public final class ReplicaCalls {
    private final String key;
    private volatile Optional<String> url = Optional.empty();

    public ReplicaCalls() {
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
