package io.knabla.controller.cli.verbs.cost;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.compiler.analyze.Analysis;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the platform what a load will cost a month, and prints its answer, later also what it was. */
public final class CostForecasts {
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)/([smh])");
    private static final int DIGITS = 9;
    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

    private CostForecasts() {}

    public static JsonNode ask(Context context, Analysis analysis, String rate) {
        Analysis.Suggestion size = analysis.suggestion();
        Map<String, Object> load = Map.of(
                "perSecond", perSecond(rate),
                "seconds", BigDecimal.valueOf(analysis.prediction().seconds()).setScale(DIGITS, RoundingMode.CEILING),
                "vcpus", BigDecimal.valueOf(size.milliCpu()).movePointLeft(3),
                "memoryBytes", size.memoryBytes(),
                "gpus", "gpu".equals(size.pool()) ? 1 : 0);
        return context.platform().send("POST", "/costs/forecast", load);
    }

    /** Has the platform forecast the cost of a function, and compare it later; empty, with a note, if it cannot. */
    public static Optional<JsonNode> keep(Context context, String namespace, String name, BigDecimal perSecond) {
        String path = PlatformClient.functionPath(namespace, name) + "/forecast";
        PlatformResponse answer = context.platform().sendRaw("PUT", path, Map.of("perSecond", perSecond));
        if (answer.status() == 200) {
            return Optional.of(answer.json());
        }
        context.note(
                "note: there is no forecast of the cost: %s",
                answer.json().path("detail").asText(answer.body()));
        return Optional.empty();
    }

    public static BigDecimal perSecond(String rate) {
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

    public static void print(Context context, JsonNode forecast) {
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

    /** Prints forecasts beside the last 7 days, and names those that are too young for that. */
    static void printCompared(Context context, JsonNode forecasts) {
        var table = Table.of(
                "FORECAST", ">USD/DAY", ">LAST 7 DAYS", ">OFF BY", ">REQUESTS/S", ">WERE", ">S/REQUEST", ">WERE");
        boolean any = false;
        for (JsonNode forecast : forecasts) {
            String function = forecast.path("function").asText();
            if (forecast.path("state").asText().equals("too-early")) {
                context.note(
                        "the forecast for %s of %.10s is compared when it is 7 days old",
                        function, forecast.path("at").asText());
                continue;
            }
            any = true;
            table.row(
                    function,
                    figure(forecast.at("/usdPerDay/forecast")),
                    figure(forecast.at("/usdPerDay/actual")),
                    offBy(forecast.path("error")),
                    figure(forecast.at("/perSecond/forecast")),
                    figure(forecast.at("/perSecond/actual")),
                    figure(forecast.at("/seconds/forecast")),
                    figure(forecast.at("/seconds/actual")));
        }
        if (any) {
            context.console().print("");
            context.console().print("%s", table);
            context.note("forecasts: the functions' shares of nodes on demand, without idle capacity");
        }
    }

    private static String figure(JsonNode number) {
        return number.isNumber()
                ? number.decimalValue().round(FOUR_DIGITS).stripTrailingZeros().toPlainString()
                : "-";
    }

    private static String offBy(JsonNode error) {
        return error.isNumber()
                ? "%+d%%"
                        .formatted(error.decimalValue()
                                .movePointRight(2)
                                .setScale(0, RoundingMode.HALF_EVEN)
                                .longValueExact())
                : "no price";
    }
}
