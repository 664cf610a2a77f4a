package io.knabla.storage;

import java.io.IOException;

/** A content gave other than the bytes it announced, as a truncated upload does. Nothing was written. */
public final class WrongSizeException extends IOException {
    public WrongSizeException(ObjectKey key, long announced, String found) {
        super("the content for '%s' announced %d bytes but gave %s; nothing was written. Send it again, whole."
                .formatted(key, announced, found));
    }
}
