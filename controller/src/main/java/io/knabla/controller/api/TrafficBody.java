package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses the request bodies of traffic split and rollback, and reports all their faults at once. */
final class TrafficBody {
    private static final Pattern TAG = Pattern.compile("[a-z]([-a-z0-9]{0,18}[a-z0-9])?");

    private TrafficBody() {}

    /** {@code {"traffic": [{"version": 1, "percent": 90}, {"latest": true, "percent": 10, "tag": "canary"}]}} */
    static List<TrafficTarget> split(String body) {
        JsonNode tree = Bodies.object(body);
        List<Fault> faults = new ArrayList<>();
        known(tree, "", Set.of("traffic"), faults);
        JsonNode list = tree.path("traffic");
        if (!list.isArray()) {
            faults.add(new Fault("traffic", "must be a list such as [{\"version\": 1, \"percent\": 100}]"));
        }
        List<TrafficTarget> traffic = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String at = "traffic[" + i + "]";
            traffic.add(target(list.get(i), at, faults));
        }
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        return traffic;
    }

    private static TrafficTarget target(JsonNode node, String at, List<Fault> faults) {
        known(node, at + ".", Set.of("version", "latest", "percent", "tag"), faults);
        boolean latest = latest(node.path("latest"), at, faults);
        JsonNode tag = node.path("tag");
        if (latest && node.hasNonNull("version")) {
            faults.add(new Fault(at + ".version", "found latest: true too; leave out one of them"));
        }
        if (!tag.isMissingNode() && !TAG.matcher(tag.asText()).matches()) {
            faults.add(new Fault(
                    at + ".tag",
                    "found '%s'; write at most 20 lower-case letters, digits and hyphens, starting with a letter"
                            .formatted(tag.asText())));
        }
        return new TrafficTarget(
                latest ? Optional.empty() : Optional.of(number(node, at, "version", faults)),
                latest,
                number(node, at, "percent", faults),
                Optional.of(tag).filter(JsonNode::isTextual).map(JsonNode::asText));
    }

    /** A number or a text is no such value, though Jackson would read 1 as true. */
    private static boolean latest(JsonNode value, String at, List<Fault> faults) {
        if (!value.isMissingNode() && !value.isBoolean()) {
            faults.add(new Fault(at + ".latest", "must be true or false, was " + value));
        }
        return value.isBoolean() && value.booleanValue();
    }

    /** {@code {"to": 3}}, or an empty body. */
    static OptionalInt rollback(String body) {
        if (body.isBlank()) {
            return OptionalInt.empty();
        }
        JsonNode tree = Bodies.object(body);
        List<Fault> faults = new ArrayList<>();
        known(tree, "", Set.of("to"), faults);
        OptionalInt to =
                tree.path("to").isMissingNode() ? OptionalInt.empty() : OptionalInt.of(number(tree, "", "to", faults));
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        return to;
    }

    private static void known(JsonNode node, String at, Set<String> allowed, List<Fault> faults) {
        node.fieldNames().forEachRemaining(key -> {
            if (!allowed.contains(key)) {
                faults.add(new Fault(
                        at + key,
                        "unknown key; known are "
                                + String.join(", ", allowed.stream().sorted().toList())));
            }
        });
    }

    /** Returns a value that is valid only if no fault was added. */
    private static int number(JsonNode node, String at, String key, List<Fault> faults) {
        JsonNode value = node.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            String found = value.isMissingNode() ? "nothing" : value.toString();
            faults.add(new Fault(
                    at.isEmpty() ? key : at + "." + key,
                    "must be a whole number of at most %d, was %s".formatted(Integer.MAX_VALUE, found)));
            return 0;
        }
        return value.intValue();
    }
}
