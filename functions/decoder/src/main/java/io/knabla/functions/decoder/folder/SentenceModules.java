package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.folder.EncoderOutput.Normalize;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import io.knabla.functions.decoder.folder.EncoderOutput.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads modules.json of <a href="https://github.com/huggingface/sentence-transformers">sentence-transformers</a> and
 * the files that it names: how tokens' vectors become a text's. What is wrong with them is told in {@code faults}.
 */
final class SentenceModules {
    static final String FILE = "modules.json";

    private static final Set<String> WITH_CONFIG = Set.of("Pooling", "Dense", "Normalize");

    private final Path folder;
    private final List<Fault> faults;
    private final Set<String> paths = new HashSet<>();
    private boolean promptsPooled = true;

    SentenceModules(Path folder, List<Fault> faults) {
        this.folder = folder;
        this.faults = faults;
    }

    /** Names of the files that it names, as far as it can be read. */
    static List<String> files(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode module : new FolderJson(folder, FILE, new ArrayList<>()).list()) {
            if (WITH_CONFIG.contains(kind(module)) && isPlain(path(module))) {
                names.add(configFile(module));
            }
            if (kind(module).equals("Dense") && isPlain(path(module))) {
                names.addAll(WeightFiles.names(folder, path(module) + "/"));
            }
        }
        return names;
    }

    boolean exists() {
        return new FolderJson(folder, FILE, faults).exists();
    }

    /** @param width elements of a token's vector, if it is known */
    EncoderOutput.Embedding embedding(OptionalInt width, SentencePrompts prompts) {
        List<JsonNode> modules = new ArrayList<>();
        new FolderJson(folder, FILE, faults).list().forEach(modules::add);
        checkOrder(modules.stream().map(SentenceModules::kind).toList());
        var pooling = Pooling.MEAN;
        OptionalInt reached = width;
        List<Step> steps = new ArrayList<>();
        for (JsonNode module : modules) {
            switch (kind(module)) {
                case "Transformer" -> checkPlace(module);
                case "Pooling" -> pooling = pooling(module, width).orElse(pooling);
                case "Normalize" -> steps.add(normalize(module));
                case "Dense" -> {
                    Optional<EncoderOutput.Dense> dense = dense(module, reached);
                    dense.ifPresent(steps::add);
                    reached = dense.map(it -> OptionalInt.of(it.output())).orElse(OptionalInt.empty());
                }
                default ->
                    fault(
                            "has a module of type '%s'; known are Transformer, Pooling, Dense and Normalize",
                            module.path("type").asText());
            }
        }
        return new EncoderOutput.Embedding(pooling, steps, reached.orElse(1), prompts.read(promptsPooled));
    }

    /** Steps change the vector that a Pooling makes of those that a Transformer gives. */
    private void checkOrder(List<String> kinds) {
        boolean begins = kinds.size() >= 2 && kinds.subList(0, 2).equals(List.of("Transformer", "Pooling"));
        boolean once = kinds.lastIndexOf("Transformer") <= 0 && kinds.lastIndexOf("Pooling") <= 1;
        if (!begins || !once) {
            fault(
                    "has the modules %s; one Transformer, then one Pooling are needed, and Dense and Normalize follow",
                    kinds);
        }
    }

    private void checkPlace(JsonNode module) {
        if (!path(module).isEmpty()) {
            fault(
                    "keeps its Transformer in folder '%s'; move the files of that folder beside modules.json and write path \"\"",
                    path(module));
        }
    }

    private Optional<Pooling> pooling(JsonNode module, OptionalInt width) {
        Optional<PoolingFile> file = config(module).map(PoolingFile::new);
        promptsPooled = file.map(PoolingFile::includesPrompt).orElse(true);
        return file.flatMap(it -> it.read(width));
    }

    private Optional<EncoderOutput.Dense> dense(JsonNode module, OptionalInt width) {
        return config(module).map(json -> new DenseFile(json, path(module) + "/").read(width));
    }

    /** Newer versions write a file for it, older ones none. */
    private Normalize normalize(JsonNode module) {
        if (isPlain(path(module))) {
            DenseFile.checkNames(new FolderJson(folder, configFile(module), faults).object());
        }
        return new Normalize();
    }

    /** The module's own file; empty, with a fault, if there is none. */
    private Optional<FolderJson> config(JsonNode module) {
        if (!isPlain(path(module))) {
            fault("has path '%s'; the name of a folder in this one is needed", path(module));
            return Optional.empty();
        }
        if (!paths.add(path(module))) {
            fault("has path '%s' twice; each module needs a folder of its own", path(module));
            return Optional.empty();
        }
        var json = new FolderJson(folder, configFile(module), faults);
        if (!json.exists()) {
            faults.add(new Fault(json.file(), "missing; modules.json names it"));
            return Optional.empty();
        }
        return Optional.of(json);
    }

    private void fault(String message, Object... values) {
        faults.add(new Fault(FILE, message.formatted(values)));
    }

    /** The class's name without its package, which differs between versions. */
    private static String kind(JsonNode module) {
        String type = module.path("type").asText();
        return type.substring(type.lastIndexOf('.') + 1);
    }

    private static String path(JsonNode module) {
        return module.path("path").asText();
    }

    private static String configFile(JsonNode module) {
        return path(module) + "/config.json";
    }

    private static boolean isPlain(String name) {
        return name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*");
    }
}
