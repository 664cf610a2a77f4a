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

/** Finds a folder's safetensors files and the tensors in them, by the index where there are several. */
final class WeightFiles {
    static final String SINGLE = "model.safetensors";
    static final String INDEX = "model.safetensors.index.json";
    private static final int MAX_INDEX_BYTES = 64 << 20;

    private final Path folder;
    private final List<Fault> faults;
    private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();

    private WeightFiles(Path folder, List<Fault> faults) {
        this.folder = folder;
        this.faults = faults;
    }

    /** Tensors by name; what cannot be read is told in {@code faults}. */
    static Map<String, StoredTensor> find(Path folder, List<Fault> faults) throws IOException {
        var files = new WeightFiles(folder, faults);
        if (Files.isRegularFile(folder.resolve(SINGLE))) {
            files.add(SINGLE);
        } else if (Files.isRegularFile(folder.resolve(INDEX))) {
            files.addIndexed();
        } else {
            faults.add(new Fault(SINGLE, files.missing()));
        }
        return files.tensors;
    }

    /** Names of the files that are read if they are there, as far as those that are there tell them. */
    static List<String> names(Path folder) throws IOException {
        if (Files.isRegularFile(folder.resolve(SINGLE))) {
            return List.of(SINGLE);
        }
        if (!Files.isRegularFile(folder.resolve(INDEX))) {
            return List.of(SINGLE, INDEX);
        }
        JsonNode map = new WeightFiles(folder, new ArrayList<>()).index().path("weight_map");
        return Stream.concat(
                        Stream.of(INDEX),
                        map.valueStream().map(JsonNode::asText).filter(WeightFiles::isPlain))
                .distinct()
                .toList();
    }

    private String missing() throws IOException {
        try (var others = Files.newDirectoryStream(folder, "*.{bin,pt,pth,gguf}")) {
            for (Path other : others) {
                return "missing; %s cannot be read; in Python, model.save_pretrained(FOLDER) writes safetensors"
                        .formatted(other.getFileName());
            }
        }
        return "missing, and %s too; one of them is needed".formatted(INDEX);
    }

    private void add(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            Header header = SafeTensors.readHeader(in);
            long start = Files.size(file) - header.dataBytes();
            long headerBytes = Long.BYTES + headerLength(file);
            if (start != headerBytes) {
                faults.add(new Fault(
                        name,
                        "has %d bytes, its header tells of %d; download it again"
                                .formatted(Files.size(file), headerBytes + header.dataBytes())));
                return;
            }
            header.entries().forEach(entry -> {
                var stored = new StoredTensor(file, start + entry.begin(), entry, StoredTensor.Layout.ROWS);
                if (tensors.putIfAbsent(entry.name(), stored) != null) {
                    faults.add(new Fault(name, "has tensor '%s', which another file has too".formatted(entry.name())));
                }
            });
        } catch (NotSafeTensorsException broken) {
            faults.add(new Fault(name, broken.getMessage()));
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
            faults.add(new Fault(INDEX, "has no weight_map with names of files"));
        }
        for (String name : names) {
            if (!isPlain(name)) {
                faults.add(new Fault(INDEX, "names '%s'; a file's name in this folder is needed".formatted(name)));
            } else if (!Files.isRegularFile(folder.resolve(name))) {
                faults.add(new Fault(name, "missing; %s names it".formatted(INDEX)));
            } else {
                add(name);
            }
        }
        map.properties()
                .forEach(entry -> checkPlace(entry.getKey(), entry.getValue().asText()));
    }

    private void checkPlace(String tensor, String file) {
        if (isPlain(file) && Files.isRegularFile(folder.resolve(file)) && !tensors.containsKey(tensor)) {
            faults.add(new Fault(file, "lacks tensor '%s', which %s says is there".formatted(tensor, INDEX)));
        }
    }

    private JsonNode index() throws IOException {
        Path file = folder.resolve(INDEX);
        try {
            if (Files.size(file) <= MAX_INDEX_BYTES) {
                return new JsonMapper().readTree(Files.readAllBytes(file));
            }
            faults.add(new Fault(INDEX, "has %d bytes, allowed are %d".formatted(Files.size(file), MAX_INDEX_BYTES)));
        } catch (JsonProcessingException broken) {
            faults.add(new Fault(
                    INDEX,
                    "is not JSON, at line %d".formatted(broken.getLocation().getLineNr())));
        }
        return new JsonMapper().missingNode();
    }

    private static boolean isPlain(String name) {
        return name.endsWith(".safetensors")
                && name.equals(Path.of(name).getFileName().toString());
    }
}
