package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.ConfigObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads an optional JSON file of a model's folder, and adds what is wrong with it to {@code faults}. */
public record FolderJson(Path folder, String file, List<Fault> faults) {
    private static final int MAX_BYTES = 16 << 20;
    private static final JsonMapper MAPPER = new JsonMapper();

    /**
     * The mapping in it; empty if there is none.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public JsonNode tree() {
        JsonNode tree = content(JsonNodeFactory.instance.objectNode());
        return tree.isObject() ? tree : faulty("is no JSON object");
    }

    /**
     * The mapping in it, to be read key by key; an empty one if there is none.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public ConfigObject object() {
        return new ConfigObject(tree(), file + ": ", faults);
    }

    /**
     * The list in it; empty if there is none.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public JsonNode list() {
        JsonNode list = content(JsonNodeFactory.instance.arrayNode());
        return list.isArray() ? list : faulty("is no JSON list");
    }

    /** Whether the file is there. */
    public boolean exists() {
        return Files.isRegularFile(folder.resolve(file));
    }

    private JsonNode content(JsonNode otherwise) {
        Path path = folder.resolve(file);
        if (!exists()) {
            return otherwise;
        }
        try {
            if (Files.size(path) <= MAX_BYTES) {
                return MAPPER.readTree(Files.readAllBytes(path));
            }
            faulty("has %d bytes, allowed are %d".formatted(Files.size(path), MAX_BYTES));
        } catch (JsonProcessingException broken) {
            faulty("is not JSON, at line %d".formatted(broken.getLocation().getLineNr()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + path, unreadable);
        }
        return otherwise;
    }

    /** What is made of its values; empty, with a fault, if one of them is out of bounds. */
    public <T> Optional<T> checked(Supplier<T> made) {
        try {
            return Optional.of(made.get());
        } catch (IllegalArgumentException outOfBounds) {
            faulty(outOfBounds.getMessage());
            return Optional.empty();
        }
    }

    private JsonNode faulty(String sentence) {
        faults.add(new Fault(file, sentence));
        return JsonNodeFactory.instance.objectNode();
    }
}
