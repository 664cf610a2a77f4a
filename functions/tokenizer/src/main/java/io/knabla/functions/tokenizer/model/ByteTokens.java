package io.knabla.functions.tokenizer.model;

import io.knabla.functions.tokenizer.table.TokenTable;
import java.nio.charset.StandardCharsets;

/** Ids of the tokens {@code <0x00>} to {@code <0xFF>}, in which models write what they do not know. */
final class ByteTokens {
    private final int[] ids = new int[256];

    ByteTokens(TokenTable tokens) {
        for (int b = 0; b < ids.length; b++) {
            ids[b] = tokens.id("<0x%02X>".formatted(b));
        }
    }

    /** Appends the ids of all bytes of a text and returns true, or returns false if one has no token. */
    boolean append(String text, IdList out) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (byte b : bytes) {
            if (ids[b & 0xff] < 0) {
                return false;
            }
        }
        for (byte b : bytes) {
            out.add(ids[b & 0xff]);
        }
        return true;
    }
}
