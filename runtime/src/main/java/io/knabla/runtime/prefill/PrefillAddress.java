package io.knabla.runtime.prefill;

import java.net.URI;

/**
 * URL at which another function reads prompts, and the key for it.
 *
 * @param url of the path of prefixes, with the scheme http
 * @param key that the server there asks for; empty for none
 */
public record PrefillAddress(URI url, String key) {
    private static final int HTTP = 80;

    /** @throws IllegalArgumentException if the text is no URL of a server that speaks HTTP */
    public static PrefillAddress of(String url, String key) {
        URI parsed = URI.create(url);
        if (!"http".equals(parsed.getScheme()) || parsed.getHost() == null) {
            throw new IllegalArgumentException("'%s' is no address; write http://HOST:PORT/PATH".formatted(url));
        }
        return new PrefillAddress(parsed, key);
    }

    int port() {
        return url.getPort() < 0 ? HTTP : url.getPort();
    }
}
