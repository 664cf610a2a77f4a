package io.knabla.controller.auth;

import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Secret header value by which the control API recognises requests from the front. Other programs of this machine can
 * connect to the API's port, but their requests are refused.
 */
@Singleton
public final class FrontKey {
    public static final String HEADER = "Knabla-Front-Key";

    private final String value;
    private volatile boolean enforced;

    public FrontKey() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        value = HexFormat.of().formatHex(bytes);
    }

    /** From here on only requests with the key are accepted. */
    public String enforce() {
        enforced = true;
        return value;
    }

    /** @param sent may be null */
    public boolean accepts(String sent) {
        return !enforced || (sent != null && MessageDigest.isEqual(bytes(sent), bytes(value)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
