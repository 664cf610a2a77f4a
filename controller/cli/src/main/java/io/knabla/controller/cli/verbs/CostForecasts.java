package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Table;
import io.knabla.functions.compiler.analyze.Analysis;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the platform what a model will cost a month, and prints its answer. */
final class CostForecasts {
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)/([smh])");
    private static final int DIGITS = 9;

    private CostForecasts() {}

    static JsonNode ask(Context context, Analysis analysis, String rate) {
        Analysis.Suggestion size = analysis.suggestion();
        Map<String, Object> load = Map.of(
                "perSecond", perSecond(rate),
                "seconds", BigDecimal.valueOf(analysis.prediction().seconds()).setScale(DIGITS, RoundingMode.CEILING),
                "vcpus", BigDecimal.valueOf(size.milliCpu()).movePointLeft(3),
                "memoryBytes", size.memoryBytes(),
                "gpus", "gpu".equals(size.pool()) ? 1 : 0);
        return context.platform().send("POST", "/costs/forecast", load);
    }

    static BigDecimal perSecond(String rate) {
        Matcher parts = RATE.matcher(rate);
        if (!parts.matches()) {
            throw CliFailure.usageError("'%s' is no rate; write one such as 20/s, 0.5/s, 90/m or 1000/h", rate);
        }
        int seconds = switch (parts.group(2)) {
            case "s" -> 1;
            case "m" -> 60;
            default -> 3600;
        };
        return new BigDecimal(parts.group(1)).divide(BigDecimal.valueOf(seconds), DIGITS, RoundingMode.CEILING);
    }

    static void print(Context context, JsonNode forecast) {
        var table = Table.of("A MONTH", ">USD");
        forecast.path("offers")
                .forEach(offer -> table.row(
                        offer.path("name").asText(), offer.path("cost").asText()));
        context.console().print("");
        context.console().print("%s", table);
        context.note(
                "assumed: a steady rate; replicas: %d, busy for 70%% of their time; whole nodes: %d (%s); prices of %s",
                forecast.path("replicas").asInt(),
                forecast.path("nodes").asInt(),
                forecast.path("node").asText(),
                forecast.path("month").asText());
        forecast.path("offers")
                .forEach(offer -> offer.path("notes")
                        .forEach(note ->
                                context.note("%s: %s", offer.path("name").asText(), note.asText())));
    }
}
