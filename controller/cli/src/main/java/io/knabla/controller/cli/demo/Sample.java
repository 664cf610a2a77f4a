package io.knabla.controller.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One sample function: a folder of {@code functions/samples}. */
record Sample(Path folder) {
    static List<Sample> all(Path samples) throws IOException {
        try (Stream<Path> folders = Files.list(samples)) {
            return folders.filter(folder -> Files.exists(folder.resolve("function.yaml")))
                    .sorted()
                    .map(Sample::new)
                    .toList();
        }
    }

    String name() {
        return folder.getFileName().toString();
    }

    byte[] request() throws IOException {
        return Files.readAllBytes(folder.resolve("request.json"));
    }

    /** The type in the sample's function.yaml: Inference, Gradient or TrainingStep. */
    String type() throws IOException {
        return new YAMLMapper()
                .readTree(folder.resolve("function.yaml").toFile())
                .path("spec")
                .path("type")
                .asText("Inference");
    }

    /** Pictures with the right answer in their name: {@code NUMBER-LABEL.png}. */
    List<Path> pictures() throws IOException {
        Path images = folder.resolve("images");
        if (!Files.isDirectory(images)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(images)) {
            return files.filter(file -> file.toString().endsWith(".png"))
                    .sorted()
                    .toList();
        }
    }

    static int label(Path picture) {
        String name = picture.getFileName().toString();
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1, name.length() - 4));
    }

    /** Writes a copy with another {@code idleAfter}, for a fast scale to zero. */
    Path copyWithIdleAfter(Path into, String idleAfter) throws IOException {
        Path copy = Files.createDirectories(into.resolve(name()));
        var yaml = new YAMLMapper();
        var document =
                (ObjectNode) yaml.readTree(folder.resolve("function.yaml").toFile());
        ObjectNode spec = (ObjectNode) document.get("spec");
        ObjectNode scaling = spec.get("scaling") instanceof ObjectNode there ? there : spec.putObject("scaling");
        scaling.put("idleAfter", idleAfter);
        Path model = folder.resolve(spec.path("model").asText());
        spec.put("model", model.toAbsolutePath().normalize().toString());
        yaml.writeValue(copy.resolve("function.yaml").toFile(), document);
        return copy.resolve("function.yaml");
    }

    /** Describes where an answer differs from the one that the sample expects; empty if nowhere. */
    Optional<String> difference(JsonNode answer) throws IOException {
        JsonNode expected = Documents.JSON
                .readTree(folder.resolve("expected.json").toFile())
                .path("outputs");
        JsonNode outputs = answer.path("outputs");
        if (outputs.size() != expected.size()) {
            return Optional.of("%d outputs instead of %d".formatted(outputs.size(), expected.size()));
        }
        for (int i = 0; i < expected.size(); i++) {
            List<Double> want = numbers(expected.get(i).path("data"));
            List<Double> have = numbers(outputs.get(i).path("data"));
            for (int j = 0; j < want.size(); j++) {
                if (have.size() != want.size() || Math.abs(have.get(j) - want.get(j)) > 1e-3) {
                    return Optional.of("output '%s' is %s instead of %s"
                            .formatted(expected.get(i).path("name").asText(), have, want));
                }
            }
        }
        return Optional.empty();
    }

    private static List<Double> numbers(JsonNode data) {
        var numbers = new ArrayList<Double>();
        data.forEach(child -> {
            if (child.isArray()) {
                numbers.addAll(numbers(child));
            } else {
                numbers.add(child.asDouble());
            }
        });
        return numbers;
    }
}
