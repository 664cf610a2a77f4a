package io.knabla.controller.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cost.forecast.CostForecast;
import io.knabla.controller.cost.query.Forecasts;
import io.knabla.controller.usage.Resources;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.spec.FunctionSpec;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;

/** Forecasts what a deployed function will cost at {@code {"perSecond"}}, and keeps that for reports of costs. */
@Path("/api/v1/functions/{namespace}/{name}/forecast")
@Produces("application/json")
@RunOnVirtualThread
public class FunctionForecastResource {
    private static final String RATE = "perSecond";
    private static final int DIGITS = 9;

    private final Forecasts forecasts;
    private final Lookup lookup;

    FunctionForecastResource(Forecasts forecasts, Lookup lookup) {
        this.forecasts = forecasts;
        this.lookup = lookup;
    }

    @Operation(
            operationId = "keepForecast",
            summary = "Forecasts what a deployed function will cost, and keeps that for reports")
    @RequestBody(content = @Content(schema = @Schema(ref = "Rate")))
    @PUT
    @Consumes("application/json")
    public Forecasts.View keep(
            @PathParam("namespace") String namespace, @PathParam("name") String name, InputStream body) {
        FunctionId id = lookup.id(namespace, name);
        JsonNode tree = Bodies.object(Bodies.text(body));
        List<Fault> faults = new ArrayList<>();
        ForecastResource.refuseOthers(tree, Set.of(RATE), faults);
        BigDecimal perSecond = ForecastResource.number(tree, RATE, faults);
        if (!faults.isEmpty()) {
            throw ProblemException.faults(faults);
        }
        Version version = lookup.function(id).latest();
        Analysis analysis = lookup.analysisOf(version)
                .orElseThrow(() -> new ProblemException(
                        409,
                        "%s has no analysis, which a forecast needs; deploy it again from its model".formatted(id)));
        try {
            return forecasts.keep(id, load(perSecond, version.spec(), analysis));
        } catch (IllegalArgumentException refused) {
            throw new ProblemException(400, refused.getMessage());
        } catch (IOException failed) {
            throw new ProblemException(500, "the usage cannot be read: " + failed.getMessage());
        }
    }

    private static CostForecast.Load load(BigDecimal perSecond, FunctionSpec spec, Analysis analysis) {
        FunctionSpec.Resources stated = spec.resources();
        long milliCpu = stated.milliCpu().orElse(analysis.suggestion().milliCpu());
        long memory = stated.memoryBytes().orElse(analysis.suggestion().memoryBytes());
        double onGpu = stated.gpu() == 0 ? 1 : stated.gpu();
        BigDecimal gpus = BigDecimal.valueOf(spec.chosenPool() == FunctionSpec.Pool.gpu ? onGpu : 0);
        return new CostForecast.Load(
                perSecond,
                BigDecimal.valueOf(analysis.prediction().seconds()).setScale(DIGITS, RoundingMode.CEILING),
                new Resources(BigDecimal.valueOf(milliCpu, 3), memory, gpus));
    }
}
