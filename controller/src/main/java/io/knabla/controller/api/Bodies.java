package io.knabla.controller.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads small request bodies as text or JSON, limited to 1 MiB. */
final class Bodies {
    private static final int MOST = 1 << 20;
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Bodies() {}

    static String text(InputStream body) {
        try {
            byte[] bytes = body == null ? new byte[0] : body.readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw new ProblemException(413, "the body has more than 1 MiB, the limit for this kind of document");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new ProblemException(400, "the body is not UTF-8 text");
        } catch (IOException broken) {
            throw new ProblemException(400, "the body was not received completely; send it again");
        }
    }

    static JsonNode object(String body) {
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree.isObject()) {
                return tree;
            }
        } catch (JsonProcessingException broken) {
            String sentence = "the body is not JSON: reading stopped at line %d, column %d"
                    .formatted(
                            broken.getLocation().getLineNr(),
                            broken.getLocation().getColumnNr());
            throw ProblemException.faults(List.of(new Fault("", sentence)));
        }
        throw ProblemException.faults(List.of(new Fault("", "the body must be a JSON object")));
    }
}
