package io.knabla.controller.cli.verbs.help;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.spec.CustomResourceDefinition;
import io.knabla.functions.spec.FunctionReference;
import io.knabla.functions.spec.SpellingHints;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains a key of function.yaml, from the descriptions in the CRD, or of config.yaml, from those of the settings. */
@Command(
        name = "explain",
        description =
                "Explains a key of function.yaml or of config.yaml: what it means, what is allowed, and the keys below it.",
        footer = {
            "",
            "Examples:",
            "  ./knabla explain spec",
            "  ./knabla explain spec.gradient.optimizer",
            "  ./knabla explain config.spot",
            "  ./knabla explain --page function-yaml.html"
        })
public final class ExplainCommand implements Callable<Integer> {
    private static final String SPEC = "spec";
    private static final String CONFIG = "config";

    @Parameters(
            index = "0",
            defaultValue = SPEC,
            paramLabel = "KEY",
            description = "Such as spec.scaling, or config.gc (default: ${DEFAULT-VALUE}).")
    String key;

    @Option(names = "--page", paramLabel = "FILE", description = "Writes all keys with examples to FILE, as HTML.")
    Path page;

    private final Context context;

    public ExplainCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        if (page != null) {
            Files.writeString(page, FunctionReference.html());
            return ExitCodes.SUCCESS;
        }
        JsonNode found = find();
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(found));
            case yaml -> context.console().out().println(Documents.yaml(found));
            case name ->
                keys(found)
                        .fieldNames()
                        .forEachRemaining(name -> context.console().print("%s", name));
            case table, wide -> print(found);
        }
        return ExitCodes.SUCCESS;
    }

    /** Walks down the key; {@code function.spec} and {@code spec} are the same, as for kubectl. */
    private JsonNode find() throws IOException {
        List<String> steps = new ArrayList<>(List.of(key.split("[.]")));
        steps.removeIf(step -> step.equalsIgnoreCase("function") || step.equals("fn"));
        JsonNode node = root(steps.isEmpty() ? "" : steps.getFirst());
        for (int i = 1; i < steps.size(); i++) {
            ObjectNode below = keys(node);
            if (!below.has(steps.get(i))) {
                throw CliFailure.usageError("%s", unknown(String.join(".", steps.subList(0, i)), steps.get(i), below));
            }
            node = below.get(steps.get(i));
        }
        return node;
    }

    private JsonNode root(String step) throws IOException {
        return switch (step) {
            case SPEC ->
                CustomResourceDefinition.document().at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
            case CONFIG -> settings();
            default ->
                throw CliFailure.usageError(
                        "found '%s'; write a key of function.yaml below spec, such as spec.scaling.max, or of config.yaml below config, such as config.gc.every",
                        key);
        };
    }

    private static JsonNode settings() throws IOException {
        try (InputStream schema = ExplainCommand.class.getResourceAsStream("config.json")) {
            return Documents.JSON.readTree(schema);
        }
    }

    private static String unknown(String parent, String step, ObjectNode below) {
        List<String> names = new ArrayList<>();
        below.fieldNames().forEachRemaining(names::add);
        List<String> near = SpellingHints.closest(step, names, 3);
        return "%s has no key '%s'; it has %s%s"
                .formatted(
                        parent,
                        step,
                        names.isEmpty() ? "none" : String.join(", ", names),
                        near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?");
    }

    /** The keys below a block, or below the items of a list. */
    private static ObjectNode keys(JsonNode node) {
        JsonNode block = node.path("items").has("properties") ? node.get("items") : node;
        return block.get("properties") instanceof ObjectNode keys ? keys : Documents.JSON.createObjectNode();
    }

    private void print(JsonNode node) {
        context.console().print("%s <%s>", key, type(node));
        context.console().print("  %s%s", node.path("description").asText(), setting(node));
        keys(node)
                .properties()
                .forEach(below -> context.console()
                        .print(
                                "%n  %s <%s>%n    %s%s",
                                below.getKey(),
                                type(below.getValue()),
                                below.getValue().path("description").asText(),
                                setting(below.getValue())));
    }

    /** What only keys of config.yaml have. */
    private static String setting(JsonNode node) {
        String given = node.has("default")
                ? " Default: %s.".formatted(node.get("default").asText())
                : "";
        return given
                + (node.has("variable")
                        ? " Variable: %s.".formatted(node.get("variable").asText())
                        : "");
    }

    private static String type(JsonNode node) {
        return node.path("x-kubernetes-int-or-string").asBoolean()
                ? "number or text"
                : node.path("type").asText("any");
    }
}
