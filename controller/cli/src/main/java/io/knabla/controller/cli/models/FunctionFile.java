package io.knabla.controller.cli.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLAnchorReplayingFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Documents;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.folder.FolderPlan;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Function document to deploy, with local files replaced by their digests, and those files.
 *
 * @param spec as written, with paths of this machine
 * @param document as it is sent, with digests in their place
 * @param model empty if the platform reads the model itself (a URL, a unit)
 */
public record FunctionFile(
        String namespace, String name, FunctionSpec spec, ObjectNode document, Optional<LocalModel> model) {

    private static final int MOST = 1 << 20;

    /** Puts the value of its anchor in the place of an alias. */
    private static final YAMLMapper YAML = new YAMLMapper(new YAMLAnchorReplayingFactory());

    /**
     * Reads every document of a file; reports the faults of all of them at once.
     *
     * @param namespace value of {@code -n}, or null for that of the file
     */
    public static List<FunctionFile> read(String path, String namespace) {
        String text = text(path);
        Path folder =
                path.equals("-") ? Path.of("") : Path.of(path).toAbsolutePath().getParent();
        List<String> documents = documents(text);
        if (documents.size() == 1) {
            return List.of(of(tree(documents.getFirst(), path, namespace), path, folder));
        }
        List<String> faults = new ArrayList<>();
        List<FunctionFile> functions = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            String place = "%s, document %d of %d,".formatted(path, i + 1, documents.size());
            try {
                functions.add(of(tree(documents.get(i), place, namespace), place, folder));
            } catch (CliFailure wrong) {
                faults.add(wrong.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw CliFailure.failed("%s", String.join("\n", faults));
        }
        return functions;
    }

    /** The same function with another document. */
    public FunctionFile with(ObjectNode changed) {
        return new FunctionFile(namespace, name, spec, changed, model);
    }

    private static String text(String path) {
        try {
            byte[] bytes = path.equals("-") ? System.in.readNBytes(MOST + 1) : start(Path.of(path));
            if (bytes.length > MOST) {
                throw CliFailure.failed(
                        "cannot read %s: it has more than 1 MiB, the most for one file. Is it a function.yaml? Else split it.",
                        path);
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException otherCharacters) {
            throw CliFailure.because(otherCharacters, "cannot read %s: it is not UTF-8 text. Save it as UTF-8.", path);
        } catch (IOException unreadable) {
            throw CliFailure.because(
                    unreadable,
                    "cannot read %s: %s. Name a function.yaml with -f.",
                    path,
                    Files.isDirectory(Path.of(path))
                            ? "it is a folder"
                            : "there is no such file, or no permission to read it");
        }
    }

    /** Not all of a file that cannot be a function.yaml: SnakeYAML takes minutes for 20 MB. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MOST + 1);
        }
    }

    /** Splits a file at the lines that start with {@code ---}; each part keeps its lines' numbers. */
    private static List<String> documents(String text) {
        List<String> documents = new ArrayList<>();
        var document = new StringBuilder();
        int lines = 0;
        for (String line : text.split("\n", -1)) {
            if (line.matches("---(\\s.*)?") && !isEmpty(document)) {
                documents.add(document.toString());
                document = new StringBuilder("\n".repeat(lines));
            }
            document.append(line).append('\n');
            lines++;
        }
        if (documents.isEmpty() || !isEmpty(document)) {
            documents.add(document.toString());
        }
        return documents;
    }

    private static boolean isEmpty(CharSequence document) {
        return document.toString().lines().allMatch(line -> line.isBlank() || line.matches("(---\\s*)?(#.*)?"));
    }

    /**
     * Creates a function from a name and a model; everything else has its default.
     *
     * @param gradient as {@code spec.gradient}; null for none
     * @param model a path, or an address that the platform reads itself
     */
    public static FunctionFile ofModel(String name, String namespace, String type, ObjectNode gradient, String model) {
        ObjectNode document = Documents.JSON.createObjectNode();
        document.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        document.putObject("metadata").put("name", name).put("namespace", namespace);
        ObjectNode spec = document.putObject("spec");
        if (type != null) {
            spec.put("type", type);
        } else if (!isElsewhere(model) && ModelFolder.isModel(Path.of(model))) {
            spec.put("type", folderType(Path.of(model)).name());
        }
        spec.put(
                "model",
                isElsewhere(model) ? model : Path.of(model).toAbsolutePath().toString());
        if (gradient != null) {
            spec.set("gradient", gradient);
        }
        return of(document, "the command line", Path.of(""));
    }

    /** What the model's architecture is for. */
    private static FunctionType folderType(Path folder) {
        try {
            return ModelFolder.isEncoder(folder) ? FunctionType.Encoder : FunctionType.Generation;
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", folder, unreadable.getMessage());
        }
    }

    /** Refuses the text before its aliases are expanded: {@link FunctionYaml} limits how many there are. */
    private static ObjectNode tree(String text, String path, String namespace) {
        Parsed parsed = FunctionYaml.parse(text);
        if (parsed instanceof Parsed.Invalid || !(expanded(text) instanceof ObjectNode document)) {
            throw faults(path, parsed);
        }
        if (namespace != null && document.get("metadata") instanceof ObjectNode metadata) {
            metadata.put("namespace", namespace);
        }
        return document;
    }

    /** Null if it is not what Jackson takes for YAML. */
    private static JsonNode expanded(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException broken) {
            return null;
        }
    }

    private static FunctionFile of(ObjectNode document, String path, Path folder) {
        Parsed parsed = FunctionYaml.parse(document.toString());
        return switch (parsed) {
            case Parsed.Invalid _ -> throw faults(path, parsed);
            case Parsed.Valid(var resource) -> {
                Optional<LocalModel> model =
                        isElsewhere(resource.spec().model()) ? Optional.empty() : Optional.of(local(folder, resource));
                Optional<LocalModel> all = model.map(local -> withCalibration(local, resource.spec(), folder));
                all.ifPresent(local -> fill(document, local));
                yield new FunctionFile(resource.namespace(), resource.name(), resource.spec(), document, all);
            }
        };
    }

    /** @param base folder that the spec's paths are relative to */
    private static LocalModel local(Path base, FunctionResource resource) {
        Path model = base.resolve(resource.spec().model()).normalize();
        return resource.spec().takesText() ? checkedFolder(model, base, resource) : LocalModel.read(model);
    }

    /** Tells what cannot be packaged before gigabytes are sent. */
    private static LocalModel checkedFolder(Path folder, Path base, FunctionResource resource) {
        LocalModel local = LocalModel.readFolder(folder, resource.spec().type());
        try {
            return switch (FolderPackager.plan(folder, base, resource.spec())) {
                case FolderPlan.Checked _ -> withDraft(local, base, resource.spec());
                case FolderPlan.Refused(var faults) ->
                    throw CliFailure.withFaults(
                            "the model of %s, %s, cannot be packaged:".formatted(resource.name(), folder), faults);
            };
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", folder, unreadable.getMessage());
        }
    }

    private static LocalModel withDraft(LocalModel model, Path base, FunctionSpec spec) {
        return spec.generation()
                .speculation()
                .model()
                .map(path -> model.withDraft(base, path))
                .orElse(model);
    }

    private static LocalModel withCalibration(LocalModel model, FunctionSpec spec, Path folder) {
        return spec.quantize()
                .calibration()
                .filter(file -> !isElsewhere(file))
                .map(file -> model.withCalibration(folder.resolve(file)))
                .orElse(model);
    }

    private static void fill(ObjectNode document, LocalModel local) {
        ObjectNode spec = (ObjectNode) document.get("spec");
        spec.put("model", local.digest().value());
        local.calibration().ifPresent(digest -> ((ObjectNode) spec.get("quantize")).put("calibration", digest.value()));
        if (!local.externalData().isEmpty()) {
            spec.set("externalData", Documents.JSON.valueToTree(local.externalData()));
        }
    }

    private static boolean isElsewhere(String model) {
        return model.startsWith("sha256:") || model.contains("://");
    }

    private static CliFailure faults(String path, Parsed parsed) {
        return switch (parsed) {
            case Parsed.Invalid(var faults) ->
                CliFailure.withFaults(
                        "%s has %d fault%s:".formatted(path, faults.size(), faults.size() == 1 ? "" : "s"), faults);
            case Parsed.Valid _ -> CliFailure.failed("%s is no YAML mapping", path);
        };
    }
}
