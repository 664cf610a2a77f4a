package io.knabla.functions.tokenizer.decode;

import io.knabla.functions.tokenizer.text.ByteAlphabet;
import java.nio.charset.StandardCharsets;

/** Turns visible characters back into bytes, and these into text as soon as a character is complete. */
final class ByteLevelStage implements Stage {
    private final LossyUtf8 utf8 = new LossyUtf8();
    private final Stage next;

    ByteLevelStage(Stage next) {
        this.next = next;
    }

    @Override
    public void token(String token) {
        for (byte b : bytes(token)) {
            utf8.accept(b & 0xff);
        }
        next.token(utf8.take());
    }

    /** A token with a character outside of the alphabet, such as an added one, stands for itself. */
    static byte[] bytes(String token) {
        byte[] bytes = new byte[token.length()];
        for (int i = 0; i < bytes.length; i++) {
            int b = ByteAlphabet.toByte(token.charAt(i));
            if (b < 0) {
                return token.getBytes(StandardCharsets.UTF_8);
            }
            bytes[i] = (byte) b;
        }
        return bytes;
    }

    @Override
    public void end() {
        utf8.end();
        next.token(utf8.take());
        next.end();
    }
}
