package io.knabla.controller.cost.pricelist;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.knabla.controller.price.PriceRow;
import java.util.Set;

/**
 * One price as a line of JSON, field by field. Names of kinds and fields are those of {@link PriceRow}; files of older
 * versions must stay readable, which {@code PriceLineTest} checks.
 */
final class PriceLine {
    private static final Set<String> TIME = Set.of("time");
    private static final Set<String> AMOUNTS = Set.of("perHour", "rates", "rate", "perGpuSecond");

    static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addMixIn(PriceRow.class, Kinds.class)
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = PriceRow.OnDemand.class, name = "OnDemand"),
        @JsonSubTypes.Type(value = PriceRow.Spot.class, name = "Spot"),
        @JsonSubTypes.Type(value = PriceRow.Committed.class, name = "Committed"),
        @JsonSubTypes.Type(value = PriceRow.Lambda.class, name = "Lambda"),
        @JsonSubTypes.Type(value = PriceRow.Fargate.class, name = "Fargate")
    })
    @JsonAutoDetect(isGetterVisibility = JsonAutoDetect.Visibility.NONE)
    private interface Kinds {}

    private PriceLine() {}

    static String write(PriceRow row) {
        try {
            return JSON.writerFor(PriceRow.class).writeValueAsString(row);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a price cannot be written as JSON: " + row, impossible);
        }
    }

    /** @throws JsonProcessingException unless it is the line of a price, complete */
    static PriceRow read(String line) throws JsonProcessingException {
        PriceRow row = JSON.readValue(line, PriceRow.class);
        if (row.time().start() == null || row.provenance().retrieved() == null) {
            throw new IllegalArgumentException("has no start, or no time when it was retrieved");
        }
        return row;
    }

    /** What the price is for: its kind and all fields but time and amounts. */
    static ObjectNode key(PriceRow row) {
        ObjectNode key = tree(row);
        key.remove(TIME);
        key.remove(AMOUNTS);
        return key;
    }

    /** The amounts without their source. */
    static ObjectNode amounts(PriceRow row) {
        ObjectNode amounts = tree(row).retain(AMOUNTS);
        amounts.findParents("provenance").forEach(price -> ((ObjectNode) price).remove("provenance"));
        return amounts;
    }

    private static ObjectNode tree(PriceRow row) {
        try {
            return (ObjectNode) JSON.readTree(write(row));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
