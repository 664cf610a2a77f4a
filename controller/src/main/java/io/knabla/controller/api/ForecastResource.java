package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cost.forecast.CostForecast;
import io.knabla.controller.cost.query.Forecasts;
import io.knabla.controller.usage.Resources;
import io.knabla.functions.Fault;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;

/** Forecasts what a function will cost: {@code {"perSecond", "seconds", "vcpus", "memoryBytes", "gpus"}}. */
@Path("/api/v1/costs/forecast")
@Produces("application/json")
@RunOnVirtualThread
public class ForecastResource {
    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("perSecond", "seconds", "vcpus", "memoryBytes", "gpus"));
    private static final BigDecimal LARGEST = BigDecimal.valueOf(1L << 50);
    private static final int MOST_DECIMALS = 18;

    private final Forecasts forecasts;

    ForecastResource(Forecasts forecasts) {
        this.forecasts = forecasts;
    }

    @Operation(operationId = "forecastCosts", summary = "Forecasts what a function will cost")
    @RequestBody(content = @Content(schema = @Schema(ref = "ForecastLoad")))
    @POST
    @Consumes("application/json")
    public Forecasts.View forecast(InputStream body) {
        try {
            return forecasts.of(load(Bodies.object(Bodies.text(body))));
        } catch (IllegalArgumentException refused) {
            throw new ProblemException(400, refused.getMessage());
        } catch (IOException failed) {
            throw new ProblemException(500, "the usage cannot be read: " + failed.getMessage());
        }
    }

    private static CostForecast.Load load(JsonNode tree) {
        List<Fault> faults = new ArrayList<>();
        refuseOthers(tree, KEYS, faults);
        BigDecimal perSecond = number(tree, "perSecond", faults);
        BigDecimal seconds = number(tree, "seconds", faults);
        BigDecimal vcpus = number(tree, "vcpus", faults);
        BigDecimal memory = number(tree, "memoryBytes", faults);
        BigDecimal gpus = tree.has("gpus") ? number(tree, "gpus", faults) : BigDecimal.ZERO;
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        return new CostForecast.Load(
                perSecond,
                seconds,
                new Resources(
                        vcpus, memory.longValue(), gpus.min(BigDecimal.TEN).intValue()));
    }

    static void refuseOthers(JsonNode tree, Set<String> known, List<Fault> faults) {
        tree.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                faults.add(new Fault(key, "unknown key; known are " + String.join(", ", known)));
            }
        });
    }

    static BigDecimal number(JsonNode tree, String key, List<Fault> faults) {
        JsonNode value = tree.path(key);
        BigDecimal number = value.isNumber() ? value.decimalValue() : BigDecimal.ONE.negate();
        if (number.signum() < 0 || number.compareTo(LARGEST) > 0 || number.scale() > MOST_DECIMALS) {
            faults.add(new Fault(key, "must be a number from 0 with at most 18 decimals, was " + value));
            return BigDecimal.ZERO;
        }
        return number;
    }
}
