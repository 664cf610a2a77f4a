package io.knabla.functions.tokenizer.decode;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Turns runs of tokens like {@code <0xE2>} into text. A run that is not UTF-8 becomes one U+FFFD for each byte, so its
 * text is certain when it ends.
 */
final class ByteFallbackStage implements Stage {
    private static final int LENGTH = "<0x00>".length();

    private final ByteArrayOutputStream run = new ByteArrayOutputStream();
    private final Stage next;

    ByteFallbackStage(Stage next) {
        this.next = next;
    }

    @Override
    public void token(String token) {
        int b = value(token);
        if (b >= 0) {
            run.write(b);
        } else {
            flush();
            next.token(token);
        }
    }

    /** The byte that a token stands for; -1 for any other token. */
    static int value(String token) {
        if (token.length() != LENGTH || !token.startsWith("<0x") || !token.endsWith(">")) {
            return -1;
        }
        int high = digit(token.charAt(3));
        int low = digit(token.charAt(4));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int digit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private void flush() {
        if (run.size() == 0) {
            return;
        }
        try {
            next.token(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(run.toByteArray()))
                    .toString());
        } catch (CharacterCodingException notText) {
            for (int i = 0; i < run.size(); i++) {
                next.token("\ufffd");
            }
        }
        run.reset();
    }

    @Override
    public void end() {
        flush();
        next.end();
    }
}
