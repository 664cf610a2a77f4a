package io.knabla.controller.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
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
            throw ProblemException.faults(List.of(new Fault("", unreadable(broken))));
        }
        throw ProblemException.faults(List.of(new Fault("", "the body must be a JSON object")));
    }

    /** Why a body could not be read as JSON, and where reading stopped if that is known. */
    static String unreadable(JsonProcessingException broken) {
        return switch (broken) {
            case StreamConstraintsException _ ->
                "the body is nested deeper than 1,000 levels, or has a number of more than 1,000 digits";
            case MismatchedInputException wrong ->
                "the body does not fit what this path takes, which /q/openapi describes" + place(wrong);
            default -> {
                JsonLocation at = broken.getLocation();
                yield at == null
                        ? "the body is not JSON"
                        : "the body is not JSON: reading stopped at line %d, column %d"
                                .formatted(at.getLineNr(), at.getColumnNr());
            }
        };
    }

    private static String place(MismatchedInputException wrong) {
        return wrong.getPath().isEmpty()
                ? ""
                : ": see the value of '%s'".formatted(wrong.getPath().getLast().getFieldName());
    }
}
