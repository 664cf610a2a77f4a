package io.knabla.controller.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads small bodies, with a limit of their own. */
final class Bodies {
    private static final int MOST = 1 << 20;

    private Bodies() {}

    static String text(InputStream body) {
        try {
            byte[] bytes = body == null ? new byte[0] : body.readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw new ProblemException(
                        413,
                        "the body has more than 1 MiB, a document of this kind never needs it");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notText) {
            throw new ProblemException(400, "the body is not UTF-8 text");
        } catch (IOException broken) {
            throw new ProblemException(400, "the body broke off; send it again, whole");
        }
    }
}
