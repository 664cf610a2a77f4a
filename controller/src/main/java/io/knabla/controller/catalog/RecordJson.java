package io.knabla.controller.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes the catalog document of one function as JSON. It stores each version's spec as a {@code Function}
 * resource, which people can read without Knabla.
 */
final class RecordJson {
    static final int SCHEMA = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private RecordJson() {}

    static byte[] write(FunctionRecord record) {
        ObjectNode document = document(record.id(), false);
        record.owner().ifPresent(uid -> document.put("owner", uid));
        record.forecast().ifPresent(forecast -> document.set("forecast", forecast(forecast)));
        document.set("traffic", FunctionYaml.trafficToJson(record.traffic()));
        ArrayNode versions = document.putArray("versions");
        record.versions().forEach(version -> versions.add(version(record.id(), version)));
        return bytes(document);
    }

    /** Document of a deleted function: a writer that read the function before cannot recreate it by accident. */
    static byte[] tombstone(FunctionId id) {
        return bytes(document(id, true));
    }

    /** Parses a document; returns empty for a tombstone. */
    static Optional<FunctionRecord> read(FunctionId id, byte[] bytes, String etag) {
        JsonNode document = parse(id, bytes);
        JsonNode schema = document.path("schema");
        if (!DocumentChecksum.matches(bytes, document)) {
            throw CatalogException.damaged(
                    id,
                    "its bytes are not those that were written; after an edit by hand, remove its 'checksum'",
                    null);
        }
        if (!schema.isIntegralNumber()) {
            throw CatalogException.damaged(id, "it has no schema number", null);
        }
        if (schema.longValue() > SCHEMA) {
            throw CatalogException.newer(id, schema.longValue());
        }
        if (document.path("deleted").asBoolean(false)) {
            return Optional.empty();
        }
        try {
            return Optional.of(record(id, document, etag));
        } catch (IllegalArgumentException | DateTimeParseException broken) {
            throw CatalogException.damaged(id, broken.getMessage(), broken);
        }
    }

    private static FunctionRecord record(FunctionId id, JsonNode document, String etag) {
        List<Version> versions = new ArrayList<>();
        document.path("versions").forEach(node -> versions.add(version(id, node)));
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("it has no versions");
        }
        for (int i = 1; i < versions.size(); i++) {
            if (versions.get(i - 1).number() >= versions.get(i).number()) {
                throw new IllegalArgumentException("its versions are out of order");
            }
        }
        List<TrafficTarget> traffic = new ArrayList<>();
        document.path("traffic").forEach(node -> traffic.add(target(node)));
        Optional<String> owner = Optional.of(document.path("owner").asText()).filter(uid -> !uid.isEmpty());
        return new FunctionRecord(id, versions, traffic, etag, owner, forecast(document.path("forecast")));
    }

    /** Decimals are texts: a JSON number would lose digits in other programs. */
    private static ObjectNode forecast(LoadForecast forecast) {
        ObjectNode node = JSON.createObjectNode()
                .put("at", forecast.at().toString())
                .put("perSecond", forecast.perSecond().toPlainString())
                .put("seconds", forecast.seconds().toPlainString());
        forecast.usdPerDay().ifPresent(usd -> node.put("usdPerDay", usd.toPlainString()));
        return node;
    }

    private static Optional<LoadForecast> forecast(JsonNode node) {
        return node.isObject()
                ? Optional.of(new LoadForecast(
                        Instant.parse(node.path("at").asText()),
                        new BigDecimal(node.path("perSecond").asText()),
                        new BigDecimal(node.path("seconds").asText()),
                        Optional.ofNullable(node.get("usdPerDay")).map(usd -> new BigDecimal(usd.asText()))))
                : Optional.empty();
    }

    private static ObjectNode document(FunctionId id, boolean deleted) {
        return JSON.createObjectNode()
                .put("schema", SCHEMA)
                .put("namespace", id.namespace())
                .put("name", id.name())
                .put("deleted", deleted);
    }

    private static ObjectNode version(FunctionId id, Version version) {
        ObjectNode node = JSON.createObjectNode()
                .put("number", version.number())
                .put("unit", version.unit().value())
                .put("model", version.model().value())
                .put("created", version.created().toString());
        node.set("function", FunctionYaml.toJson(resource(id, version.spec())));
        version.pool()
                .ifPresent(decided -> node.putObject("pool")
                        .put("chosen", decided.pool().name())
                        .put("reason", decided.reason()));
        return node;
    }

    private static FunctionResource resource(FunctionId id, FunctionSpec spec) {
        return new FunctionResource(id.namespace(), id.name(), spec);
    }

    private static Version version(FunctionId id, JsonNode node) {
        FunctionResource resource = FunctionYaml.fromJson(node.path("function"));
        return new Version(
                number(node, "number"),
                resource.spec(),
                new Digest(node.path("unit").asText()),
                new Digest(node.path("model").asText()),
                Instant.parse(node.path("created").asText()),
                pool(node.path("pool")));
    }

    /** Older documents have none. */
    private static Optional<PoolDecision> pool(JsonNode node) {
        return node.isObject()
                ? Optional.of(new PoolDecision(
                        Pool.valueOf(node.path("chosen").asText()),
                        node.path("reason").asText()))
                : Optional.empty();
    }

    private static TrafficTarget target(JsonNode node) {
        boolean latest = node.path("latest").asBoolean(false);
        return new TrafficTarget(
                latest ? Optional.empty() : Optional.of(number(node, "version")),
                latest,
                number(node, "percent"),
                Optional.ofNullable(node.get("tag")).map(JsonNode::asText));
    }

    private static int number(JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.canConvertToInt() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException("'" + key + "' is not a whole number");
        }
        return value.intValue();
    }

    private static JsonNode parse(FunctionId id, byte[] bytes) {
        try {
            JsonNode tree = JSON.readTree(bytes);
            if (tree.isObject()) {
                return tree;
            }
        } catch (IOException notJson) {
            throw CatalogException.damaged(id, "it is not JSON", notJson);
        }
        throw CatalogException.damaged(id, "it is not a JSON object", null);
    }

    private static byte[] bytes(ObjectNode document) {
        DocumentChecksum.reserve(document);
        try {
            return DocumentChecksum.fill(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values must be writable", impossible);
        }
    }
}
