package io.knabla.controller.cost.ledger.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Writes a row as one line of JSON and reads it again. Times keep microseconds and amounts six decimals, the precision
 * of the Parquet columns, so that a row is the same before and after compaction. Unknown fields of newer versions are
 * ignored, missing ones have the defaults of {@link JsonLines}.
 */
public final class RowJson {
    /**
     * Newest version of the schema that is written; a change that adds a field increments it. A row has the version of
     * its newest field, so an older program may merge a row that has none of the newer ones.
     */
    public static final int VERSION = 2;

    /** Before {@code counters}. */
    static final int FIRST = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final ObjectWriter WRITER = MAPPER.writerFor(JsonLine.class);
    private static final ObjectReader READER = MAPPER.readerFor(JsonLine.class);

    private RowJson() {}

    /**
     * A row and the version of the schema that its fields need.
     *
     * @param version larger than {@link #VERSION} if the row has fields that this program does not know
     */
    public record Versioned(UsageRecord row, int version) {}

    /**
     * Returns the line, without its end.
     *
     * @throws IllegalArgumentException if a value is outside of the bounds of its column
     */
    public static byte[] encode(UsageRecord row) {
        try {
            return WRITER.writeValueAsBytes(JsonLines.of(row));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a row cannot be written as JSON: " + row, impossible);
        }
    }

    public static Versioned decode(String line) throws RowFormatException {
        try {
            JsonLine read = READER.readValue(line);
            if (read == null) {
                throw new IllegalArgumentException("null is no row");
            }
            return new Versioned(JsonLines.row(read), read.v());
        } catch (JsonProcessingException | RuntimeException bad) {
            throw new RowFormatException(line, bad);
        }
    }
}
