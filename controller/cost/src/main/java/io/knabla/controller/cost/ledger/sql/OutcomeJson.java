package io.knabla.controller.cost.ledger.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes an outcome to a file and reads it: {@code {"refused": sentence}}, or {@code {"columns": [name …], "rows":
 * [[value …] …], "cut": false}}.
 */
final class OutcomeJson {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private OutcomeJson() {}

    static void write(SqlOutcome outcome, Path file) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(Files.newOutputStream(file))) {
            json.enable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.writeStartObject();
            switch (outcome) {
                case SqlOutcome.Refused(var sentence) -> json.writeStringField("refused", sentence);
                case SqlOutcome.Answer answer -> write(answer, json);
            }
            json.writeEndObject();
        }
    }

    private static void write(SqlOutcome.Answer answer, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("columns");
        for (String column : answer.columns()) {
            json.writeString(column);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rows");
        for (List<Object> row : answer.rows()) {
            json.writeStartArray();
            for (Object value : row) {
                write(value, json);
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeBooleanField("cut", answer.cut());
    }

    private static void write(Object value, JsonGenerator json) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Boolean truth -> json.writeBoolean(truth);
            case Float number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case Number number -> json.writeNumber(number.longValue());
            default -> json.writeString(value.toString());
        }
    }

    /** @throws IOException if the file is no outcome */
    static SqlOutcome read(Path file) throws IOException {
        try (JsonParser json = JSON.createParser(file.toFile())) {
            json.nextToken();
            String field = json.nextFieldName();
            if ("refused".equals(field)) {
                return new SqlOutcome.Refused(json.nextTextValue());
            }
            json.nextToken();
            List<String> columns = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                columns.add(json.getText());
            }
            return new SqlOutcome.Answer(columns, rows(json), cut(json));
        }
    }

    private static List<List<Object>> rows(JsonParser json) throws IOException {
        json.nextFieldName();
        json.nextToken();
        List<List<Object>> rows = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            List<Object> row = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                row.add(value(json));
            }
            rows.add(row);
        }
        return rows;
    }

    private static boolean cut(JsonParser json) throws IOException {
        json.nextFieldName();
        return json.nextToken() == JsonToken.VALUE_TRUE;
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> json.getNumberValue();
            case VALUE_NUMBER_FLOAT -> json.getDecimalValue();
            default -> json.getText();
        };
    }
}
