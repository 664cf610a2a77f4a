package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Parses the request bodies of traffic split and rollback, and reports all their faults at once. */
final class TrafficBody {
    private TrafficBody() {}

    /** {@code {"traffic": [{"version": 1, "percent": 90}, …]}} */
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
            known(list.get(i), at + ".", Set.of("version", "percent"), faults);
            traffic.add(new TrafficTarget(
                    number(list.get(i), at, "version", faults), number(list.get(i), at, "percent", faults)));
        }
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        return traffic;
    }

    /** {@code {"to": 3}}, or an empty body. */
    static OptionalInt rollback(String body) {
        if (body.isBlank()) {
            return OptionalInt.empty();
        }
        JsonNode tree = Bodies.object(body);
        List<Fault> faults = new ArrayList<>();
        known(tree, "", Set.of("to"), faults);
        OptionalInt to = tree.path("to").isMissingNode() || tree.path("to").isNull()
                ? OptionalInt.empty()
                : OptionalInt.of(number(tree, "", "to", faults));
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
