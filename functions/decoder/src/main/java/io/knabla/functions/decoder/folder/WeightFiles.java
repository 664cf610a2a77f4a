package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.functions.Fault;
import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.NotSafeTensorsException;
import io.knabla.functions.unit.safetensors.SafeTensors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds a model's or a module's safetensors files and the tensors in them, by the index where there are several. */
final class WeightFiles {
    static final String SINGLE = "model.safetensors";
    static final String INDEX = "model.safetensors.index.json";
    private static final int MAX_INDEX_BYTES = 64 << 20;

    private final Path folder;
    private final String inside;
    private final List<Fault> faults;
    private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();

    private WeightFiles(Path folder, String inside, List<Fault> faults) {
        this.folder = folder;
        this.inside = inside;
        this.faults = faults;
    }

    /**
     * Tensors by name; what cannot be read is told in {@code faults}.
     *
     * @param inside name of a folder in this one, and a slash, which begins the names of its files and tensors; empty
     *     for this one
     */
    static Map<String, StoredTensor> find(Path folder, String inside, List<Fault> faults) throws IOException {
        var files = new WeightFiles(folder, inside, faults);
        if (files.exists(SINGLE)) {
            files.add(SINGLE);
        } else if (files.exists(INDEX)) {
            files.addIndexed();
        } else {
            files.fault(SINGLE, files.missing());
        }
        return files.tensors;
    }

    /**
     * Names of the files that are read if they are there, as far as those that are there tell them.
     *
     * @param inside as of {@link #find}
     */
    static List<String> names(Path folder, String inside) throws IOException {
        return new WeightFiles(folder, inside, new ArrayList<>())
                .names()
                .map(inside::concat)
                .distinct()
                .toList();
    }

    private Stream<String> names() throws IOException {
        if (exists(SINGLE)) {
            return Stream.of(SINGLE);
        }
        if (!exists(INDEX)) {
            return Stream.of(SINGLE, INDEX);
        }
        return Stream.concat(
                Stream.of(INDEX),
                index().path("weight_map").valueStream().map(JsonNode::asText).filter(WeightFiles::isPlain));
    }

    private Path file(String name) {
        return folder.resolve(inside + name);
    }

    private boolean exists(String name) {
        return Files.isRegularFile(file(name));
    }

    private void fault(String name, String message, Object... values) {
        faults.add(new Fault(inside + name, message.formatted(values)));
    }

    private String missing() throws IOException {
        try (var others = Files.newDirectoryStream(file(""), "*.{bin,pt,pth,gguf}")) {
            for (Path other : others) {
                return "missing; %s cannot be read; in Python, model.save_pretrained(FOLDER) writes safetensors"
                        .formatted(inside + other.getFileName());
            }
        }
        return "missing, and %s too; one of them is needed".formatted(inside + INDEX);
    }

    private void add(String name) throws IOException {
        Path file = file(name);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            Header header = SafeTensors.readHeader(in);
            long start = Files.size(file) - header.dataBytes();
            long headerBytes = Long.BYTES + headerLength(file);
            if (start != headerBytes) {
                fault(
                        name,
                        "has %d bytes, its header tells of %d; download it again",
                        Files.size(file),
                        headerBytes + header.dataBytes());
                return;
            }
            header.entries().forEach(entry -> {
                var stored = new StoredTensor(file, start + entry.begin(), entry, StoredTensor.Layout.ROWS);
                if (tensors.putIfAbsent(inside + entry.name(), stored) != null) {
                    fault(name, "has tensor '%s', which another file has too", entry.name());
                }
            });
        } catch (NotSafeTensorsException broken) {
            fault(name, "%s", broken.getMessage());
        }
    }

    private static long headerLength(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return ByteBuffer.wrap(in.readNBytes(Long.BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getLong();
        }
    }

    private void addIndexed() throws IOException {
        JsonNode map = index().path("weight_map");
        SortedSet<String> names = new TreeSet<>();
        map.properties().forEach(entry -> names.add(entry.getValue().asText()));
        if (names.isEmpty()) {
            fault(INDEX, "has no weight_map with names of files");
        }
        for (String name : names) {
            if (!isPlain(name)) {
                fault(INDEX, "names '%s'; a file's name in this folder is needed", name);
            } else if (!exists(name)) {
                fault(name, "missing; %s names it", INDEX);
            } else {
                add(name);
            }
        }
        map.properties()
                .forEach(entry -> checkPlace(entry.getKey(), entry.getValue().asText()));
    }

    private void checkPlace(String tensor, String file) {
        if (isPlain(file) && exists(file) && !tensors.containsKey(inside + tensor)) {
            fault(file, "lacks tensor '%s', which %s says is there", tensor, INDEX);
        }
    }

    private JsonNode index() throws IOException {
        Path file = file(INDEX);
        try {
            if (Files.size(file) <= MAX_INDEX_BYTES) {
                return new JsonMapper().readTree(Files.readAllBytes(file));
            }
            fault(INDEX, "has %d bytes, allowed are %d", Files.size(file), MAX_INDEX_BYTES);
        } catch (JsonProcessingException broken) {
            fault(INDEX, "is not JSON, at line %d", broken.getLocation().getLineNr());
        }
        return new JsonMapper().missingNode();
    }

    private static boolean isPlain(String name) {
        return name.endsWith(".safetensors")
                && name.equals(Path.of(name).getFileName().toString());
    }
}
