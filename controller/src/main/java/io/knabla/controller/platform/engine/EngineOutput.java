package io.knabla.controller.platform.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.GpuFigure;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Turns the exit code and output of the replica program into an engine result, without side effects. */
public final class EngineOutput {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<Integer, String> SIGNALS =
            Map.of(4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM");

    private EngineOutput() {}

    /**
     * @param exit its exit code; 128 plus the signal number when a signal ended it
     * @param output one JSON event a line; the engine's libraries may have printed other lines between them
     * @param errors standard error; its last line explains a crash
     */
    public static EngineResult parse(int exit, String output, String errors) {
        List<JsonNode> events =
                output.lines().flatMap(line -> event(line).stream()).toList();
        Optional<EngineResult> no =
                events.stream().flatMap(event -> no(event).stream()).findFirst();
        if (no.isPresent()) {
            return no.get();
        }
        Optional<JsonNode> checked = first(events, "checked", "optimized");
        if (exit == 0 && checked.isPresent()) {
            return new EngineResult.Passed(
                    Optional.ofNullable(checked.get().path("warning").textValue()),
                    Optional.of(checked.get().path("gradientCheck")).filter(JsonNode::isObject),
                    Optional.of(checked.get().path("rows"))
                            .filter(JsonNode::isObject)
                            .map(RowsVerdict::read),
                    Optional.ofNullable(checked.get().path("unit").textValue()));
        }
        Optional<JsonNode> measured = first(events, "calibrated");
        if (exit == 0 && measured.isPresent()) {
            return measured(measured.get());
        }
        Optional<EngineResult> ranges = first(events, "ranges").flatMap(EngineOutput::ranges);
        if (exit == 0 && ranges.isPresent()) {
            return ranges.get();
        }
        return new EngineResult.Crashed(
                name(exit) + lastWords(errors).map(": "::concat).orElse(""));
    }

    private static EngineResult measured(JsonNode event) {
        if (!event.has("device")) {
            return new EngineResult.Measured(
                    event.path("flops").asDouble(), event.path("bytesPerSecond").asDouble());
        }
        Map<GpuFigure, Double> rates = new EnumMap<>(GpuFigure.class);
        Map<GpuFigure, String> failures = new EnumMap<>(GpuFigure.class);
        for (GpuFigure figure : GpuFigure.values()) {
            Optional.of(event.path("rates").path(figure.name()))
                    .filter(JsonNode::isNumber)
                    .ifPresent(rate -> rates.put(figure, rate.asDouble()));
            Optional.ofNullable(event.path("failures").path(figure.name()).textValue())
                    .ifPresent(why -> failures.put(figure, why));
        }
        return new EngineResult.MeasuredGpu(new GpuProfile(event.path("device").asText(), rates), failures);
    }

    /** Empty for numbers that are no ranges: the model ran in the process that wrote them. */
    private static Optional<EngineResult> ranges(JsonNode event) {
        try {
            Map<String, Range> ranges = new HashMap<>();
            event.path("ranges")
                    .properties()
                    .forEach(range -> ranges.put(
                            range.getKey(),
                            new Range(
                                    range.getValue().path(0).asDouble(Double.NaN),
                                    range.getValue().path(1).asDouble(Double.NaN))));
            return Optional.of(new EngineResult.Ranges(ranges));
        } catch (IllegalArgumentException noRange) {
            return Optional.empty();
        }
    }

    private static Optional<EngineResult> no(JsonNode event) {
        String why = event.path("error").asText();
        return switch (event.path("event").asText()) {
            case "refused" -> Optional.of(new EngineResult.Refused(why));
            case "unavailable" ->
                Optional.of(new EngineResult.Unavailable(
                        FailureCode.parse(event.path("code").asText()), why));
            // The program failed before it opened the model.
            case "failed" -> Optional.of(new EngineResult.NotRun(why));
            default -> Optional.empty();
        };
    }

    private static Optional<JsonNode> first(List<JsonNode> events, String... kinds) {
        return events.stream()
                .filter(event -> List.of(kinds).contains(event.path("event").asText()))
                .findFirst();
    }

    private static Optional<JsonNode> event(String line) {
        try {
            return Optional.ofNullable(JSON.readTree(line)).filter(JsonNode::isObject);
        } catch (IOException noEvent) {
            return Optional.empty();
        }
    }

    private static Optional<String> lastWords(String errors) {
        return errors.lines()
                .filter(Predicate.not(String::isBlank))
                .filter(line -> event(line).isEmpty())
                .reduce((_, last) -> last);
    }

    private static String name(int exit) {
        int signal = exit - 128;
        return exit > 128
                ? "signal %d, %s".formatted(signal, SIGNALS.getOrDefault(signal, "unknown"))
                : "exit code " + exit;
    }
}
