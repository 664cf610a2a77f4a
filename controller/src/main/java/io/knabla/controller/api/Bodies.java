package io.knabla.controller.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

    /** Windows' editors begin a file in UTF-8 with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private Bodies() {}

    static String text(InputStream body) {
        try {
            byte[] bytes = body == null ? new byte[0] : body.readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw new ProblemException(413, "the body has more than 1 MiB, the limit for this kind of document");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException notText) {
            throw new ProblemException(400, "the body is not UTF-8 text");
        } catch (IOException broken) {
            throw new ProblemException(400, "the body was not received completely; send it again");
        }
    }

    /** Reads an object, without its members that are null: serialisers write absent ones so. */
    static JsonNode object(String body) {
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree.isObject()) {
                removeNulls(tree);
                return tree;
            }
        } catch (JsonProcessingException broken) {
            throw ProblemException.faults(List.of(new Fault("", unreadable(broken))));
        }
        throw ProblemException.faults(List.of(new Fault("", "the body must be a JSON object")));
    }

    private static void removeNulls(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        tree.forEach(Bodies::removeNulls);
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
