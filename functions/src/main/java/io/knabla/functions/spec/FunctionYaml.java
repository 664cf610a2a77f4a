package io.knabla.functions.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The text of a function: read with all its faults at once, written always the same. */
public final class FunctionYaml {
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .build();

    private FunctionYaml() {}

    /** Reads what a user wrote, in YAML or JSON. Never throws, whatever the text. */
    public static Parsed parse(String yamlOrJson) {
        return parse(yamlOrJson, true);
    }

    private static Parsed parse(String text, boolean mustBeSupported) {
        Findings findings = new Findings();
        Optional<FunctionResource> read =
                Documents.read(text, findings)
                        .flatMap(tree -> Schema.RESOURCE.read(tree, "", findings));
        if (read.isPresent()) {
            FunctionSpec spec = read.get().spec();
            findings.add(Contradictions.in(spec, findings));
            if (mustBeSupported) {
                findings.add(NotYet.in(spec));
            }
        }
        return findings.faults().isEmpty()
                ? new Valid(read.orElseThrow())
                : new Invalid(inOrder(findings.faults()));
    }

    private static List<Fault> inOrder(List<Fault> faults) {
        return faults.stream().distinct().sorted(Comparator.comparing(Fault::path)).toList();
    }

    /** Canonical YAML: every default spelt out; reads back to an equal resource. */
    public static String write(FunctionResource resource) {
        try {
            return YAML.writeValueAsString(toJson(resource));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values must be writable", impossible);
        }
    }

    /** The same document as {@link #write}, as a JSON tree. */
    public static ObjectNode toJson(FunctionResource resource) {
        return SpecWriter.resource(resource);
    }

    /** The {@code spec} part of {@link #toJson} alone, for views. */
    public static ObjectNode specToJson(FunctionSpec spec) {
        return SpecWriter.spec(spec);
    }

    /**
     * Reads back what {@link #toJson} wrote, also when what it asks for is no longer supported: a
     * document in the catalog was accepted once, and must stay readable.
     */
    public static FunctionResource fromJson(JsonNode json) {
        return switch (parse(json.toString(), false)) {
            case Valid(FunctionResource resource) -> resource;
            case Invalid(List<Fault> faults) ->
                    throw new IllegalArgumentException(
                            faults.stream()
                                    .map(Fault::toString)
                                    .collect(
                                            Collectors.joining(
                                                    "; ", "not a Function document: ", "")));
        };
    }
}
