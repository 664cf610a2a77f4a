package io.knabla.controller.cost.query;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioOptions.InstanceKind;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.functions.Fault;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A user's own offers and options for the scenarios, as YAML or JSON.
 *
 * <pre>
 * architecture: arm64                  # that Lambda and Fargate are priced by; default x86_64
 * interruptionShare: 0.05              # what interruptions add to a node on spot; default: measured
 * committed: [{instanceType: m7i.large, region: us-east-1, count: 3}]      # default: the peak
 * prices: [{offer: ServerlessGpu, name: someone, perGpuSecond: 0.0003}]    # as in config.yaml
 * </pre>
 */
record ScenarioFile(ScenarioOptions options, List<DeclaredPrice> prices) {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("architecture", "interruptionShare", "committed", "prices"));
    private static final Set<String> COMMITTED = new TreeSet<>(Set.of("instanceType", "region", "count"));
    private static final BigDecimal LARGEST_SHARE = BigDecimal.TEN;
    private static final int MOST_INSTANCES = 1_000_000;

    /** @param faults takes everything that is wrong; the result is of use only if there is nothing */
    static ScenarioFile read(String text, List<Fault> faults) {
        JsonNode tree = tree(text, faults);
        unknown(tree, "", KEYS, faults);
        Architecture architecture = Architecture.X86_64;
        if (tree.has("architecture")) {
            String name = tree.get("architecture").asText();
            architecture = ConstantNames.find(Architecture.values(), name).orElseGet(() -> {
                faults.add(new Fault("architecture", "is '%s'; allowed are x86_64 and arm64".formatted(name)));
                return Architecture.X86_64;
            });
        }
        return new ScenarioFile(
                new ScenarioOptions(architecture, share(tree, faults), committed(tree, faults), Map.of()),
                DeclaredPriceReader.read(entries(tree, "prices", faults), faults));
    }

    private static JsonNode tree(String text, List<Fault> faults) {
        try {
            JsonNode tree = YAML.readTree(text);
            if (tree instanceof ObjectNode keys) {
                // A key without a value, which YAML reads as null.
                keys.removeIf(JsonNode::isNull);
            }
            if (tree == null || tree.isObject() || tree.isMissingNode() || tree.isNull()) {
                return tree == null ? MissingNode.getInstance() : tree;
            }
            faults.add(new Fault("", "a scenario file has keys and values; known are " + String.join(", ", KEYS)));
        } catch (JsonProcessingException malformed) {
            faults.add(new Fault("", "the scenario file is not YAML: " + malformed.getOriginalMessage()));
        }
        return MissingNode.getInstance();
    }

    private static Optional<BigDecimal> share(JsonNode tree, List<Fault> faults) {
        JsonNode share = tree.path("interruptionShare");
        if (share.isMissingNode()) {
            return Optional.empty();
        }
        if (!share.isNumber()
                || share.decimalValue().signum() < 0
                || share.decimalValue().compareTo(LARGEST_SHARE) > 0) {
            faults.add(new Fault(
                    "interruptionShare", "is %s; write a fraction from 0 to 10, such as 0.05".formatted(share)));
            return Optional.empty();
        }
        return Optional.of(share.decimalValue());
    }

    private static Map<InstanceKind, Integer> committed(JsonNode tree, List<Fault> faults) {
        Map<InstanceKind, Integer> committed = new HashMap<>();
        JsonNode list = list(tree, "committed", faults);
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.get(i);
            String at = "committed[%d].".formatted(i);
            unknown(entry, at, COMMITTED, faults);
            for (String name : List.of("instanceType", "region")) {
                if (!entry.path(name).isTextual()) {
                    faults.add(new Fault(at + name, "is missing; give its name"));
                }
            }
            JsonNode count = entry.path("count");
            if (!count.isInt() || count.intValue() < 0 || count.intValue() > MOST_INSTANCES) {
                faults.add(new Fault(at + "count", "is %s; write a whole number from 0".formatted(count)));
            }
            InstanceKind kind = new InstanceKind(
                    entry.path("instanceType").asText(), entry.path("region").asText());
            if (committed.put(kind, Math.max(0, count.intValue())) != null) {
                faults.add(new Fault(at + "instanceType", "%s is there twice; keep one".formatted(kind)));
            }
        }
        return committed;
    }

    private static List<Map<String, String>> entries(JsonNode tree, String key, List<Fault> faults) {
        List<Map<String, String>> entries = new ArrayList<>();
        for (JsonNode entry : list(tree, key, faults)) {
            Map<String, String> values = new TreeMap<>();
            entry.properties()
                    .forEach(
                            value -> values.put(value.getKey(), value.getValue().asText()));
            entries.add(values);
        }
        return entries;
    }

    private static JsonNode list(JsonNode tree, String key, List<Fault> faults) {
        JsonNode list = tree.path(key);
        if (list.isMissingNode() || list.isArray()) {
            return list;
        }
        faults.add(new Fault(key, "must be a list"));
        return MissingNode.getInstance();
    }

    private static void unknown(JsonNode tree, String at, Set<String> known, List<Fault> faults) {
        tree.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                faults.add(new Fault(at + key, "unknown key; known are " + String.join(", ", known)));
            }
        });
    }
}
