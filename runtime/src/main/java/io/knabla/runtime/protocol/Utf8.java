package io.knabla.runtime.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Converts and checks texts in UTF-8 (RFC 3629), which has no halves of surrogate pairs. */
final class Utf8 {
    private Utf8() {}

    static boolean isValid(byte[] text) {
        return isAscii(text) || decodes(text);
    }

    private static boolean isAscii(byte[] text) {
        for (byte b : text) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean decodes(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }

    /** The text's bytes; empty if it has half of a surrogate pair. */
    static Optional<byte[]> bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // What cannot be encoded has become a question mark.
        return new String(bytes, StandardCharsets.UTF_8).equals(text) ? Optional.of(bytes) : Optional.empty();
    }
}
