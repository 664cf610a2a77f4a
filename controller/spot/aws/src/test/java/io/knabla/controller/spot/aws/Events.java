package io.knabla.controller.spot.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Events of EventBridge in the resources of the tests. */
final class Events {
    private Events() {}

    static String read(String file) {
        try (InputStream in = Events.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
