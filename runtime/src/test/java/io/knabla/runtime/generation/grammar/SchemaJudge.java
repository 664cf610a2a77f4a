package io.knabla.runtime.generation.grammar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.util.List;

/** Judges texts of schemas with a validator that is not ours. */
public final class SchemaJudge {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(VersionFlag.V202012);

    private SchemaJudge() {}

    /** What is wrong with a text; empty for one that is JSON and valid. */
    public static List<String> faults(String schema, String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return SCHEMAS
                    .getSchema(schema)
                    .validate(value, context -> context.getExecutionConfig().setFormatAssertionsEnabled(true))
                    .stream()
                    .map(Object::toString)
                    .toList();
        } catch (JsonProcessingException notJson) {
            return List.of(notJson.getMessage());
        }
    }
}
