package io.knabla.functions.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Parses function.yaml and reports all faults at once; writes it in canonical form. */
public final class FunctionYaml {
    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .stringQuotingChecker(new AmbiguousTextQuoting())
                    .build())
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();

    /** More faults do not help, and the answer to a hostile document must not be many times its size. */
    private static final int MAX_FAULTS = 100;

    private FunctionYaml() {}

    /**
     * Also quotes text that only the reader takes for another type; Jackson's check differs from the reader's rules:
     * {@code 1e3} is a number to the reader.
     */
    private static final class AmbiguousTextQuoting extends StringQuotingChecker.Default {
        private static final Resolver READER = new Resolver();

        @Override
        public boolean needToQuoteName(String name) {
            return super.needToQuoteName(name) || isNotText(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || isNotText(value);
        }

        private static boolean isNotText(String plain) {
            return !Tag.STR.equals(READER.resolve(NodeId.scalar, plain, true));
        }
    }

    /** Parses YAML or JSON; never throws, whatever the text. */
    public static Parsed parse(String yamlOrJson) {
        return parse(yamlOrJson, true);
    }

    private static Parsed parse(String text, boolean mustBeSupported) {
        Findings findings = new Findings();
        Optional<FunctionResource> read =
                DocumentParser.read(text, findings).flatMap(tree -> FunctionSchema.RESOURCE.read(tree, "", findings));
        if (read.isPresent()) {
            FunctionSpec spec = read.get().spec();
            findings.add(CrossFieldRules.check(spec, findings));
            if (mustBeSupported) {
                findings.add(UnsupportedFeatures.check(read.get()));
            }
        }
        return findings.faults().isEmpty() ? new Valid(read.orElseThrow()) : new Invalid(inOrder(findings.faults()));
    }

    private static List<Fault> inOrder(List<Fault> faults) {
        List<Fault> distinct = faults.stream()
                .distinct()
                .sorted(Comparator.comparing(Fault::path))
                .toList();
        if (distinct.size() <= MAX_FAULTS) {
            return distinct;
        }
        List<Fault> shown = new ArrayList<>(distinct.subList(0, MAX_FAULTS));
        shown.add(new Fault("", "and %d more faults".formatted(distinct.size() - MAX_FAULTS)));
        return shown;
    }

    /** Writes canonical YAML with all defaults; parsing it gives an equal resource. */
    public static String write(FunctionResource resource) {
        try {
            return YAML.writeValueAsString(toJson(resource));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values must be writable", impossible);
        }
    }

    /** The document of {@link #write} as a JSON tree. */
    public static ObjectNode toJson(FunctionResource resource) {
        return SpecWriter.resource(resource);
    }

    /** The {@code spec} part of {@link #toJson}. */
    public static ObjectNode specToJson(FunctionSpec spec) {
        return SpecWriter.spec(spec);
    }

    /** The {@code spec.traffic} part of {@link #toJson}. */
    public static ArrayNode trafficToJson(List<TrafficTarget> traffic) {
        return SpecWriter.traffic(traffic);
    }

    /** The {@code spec.gradient} part of {@link #toJson}. */
    public static ObjectNode gradientToJson(Gradient gradient) {
        return GradientWriter.gradient(gradient);
    }

    /**
     * Reads a document that {@link #toJson} wrote, even if it uses features that are no longer supported: a document in
     * the catalog was accepted once and must stay readable.
     */
    public static FunctionResource fromJson(JsonNode json) {
        return switch (parse(json.toString(), false)) {
            case Valid(FunctionResource resource) -> resource;
            case Invalid(List<Fault> faults) ->
                throw new IllegalArgumentException(faults.stream()
                        .map(Fault::toString)
                        .collect(Collectors.joining("; ", "not a Function document: ", "")));
        };
    }
}
