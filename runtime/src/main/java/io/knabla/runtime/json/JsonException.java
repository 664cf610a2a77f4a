package io.knabla.runtime.json;

/** The text is not JSON; the message says where and why. */
public final class JsonException extends RuntimeException {
    JsonException(String why) {
        super(why, null, false, false);
    }
}
