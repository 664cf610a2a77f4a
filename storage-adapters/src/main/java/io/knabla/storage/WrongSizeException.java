package io.knabla.storage;

import java.io.IOException;

/** Thrown if a content yields more or fewer bytes than announced, such as a truncated upload. Nothing was written. */
public final class WrongSizeException extends IOException {
    public WrongSizeException(ObjectKey key, long announced, String found) {
        super("the content for '%s' announced %d bytes but gave %s; nothing was written. Send it again, whole."
                .formatted(key, announced, found));
    }
}
