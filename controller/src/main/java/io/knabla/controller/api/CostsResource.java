package io.knabla.controller.api;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.ledger.LedgerCheck;
import io.knabla.controller.cost.ledger.duckdb.PlatformThreads.Work;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.sql.SqlOutcome;
import io.knabla.controller.cost.page.CostPage;
import io.knabla.controller.cost.query.BudgetView;
import io.knabla.controller.cost.query.CostAnswer;
import io.knabla.controller.cost.query.CostFormat;
import io.knabla.controller.cost.query.CostNow;
import io.knabla.controller.cost.query.CostParameters;
import io.knabla.controller.cost.query.CostService;
import io.knabla.controller.cost.query.CostWriter;
import io.knabla.controller.cost.query.ParsedQuery;
import io.knabla.controller.cost.query.PriceStatus;
import io.knabla.controller.cost.query.PriceStatusService;
import io.knabla.controller.cost.query.SqlQueries;
import io.knabla.controller.errors.Problem;
import io.knabla.functions.Fault;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;

/** Answers what functions cost, and what the same usage would have cost under other offers. */
@Path("/api/v1/costs")
@RunOnVirtualThread
public class CostsResource {
    private static final int RETRY_SECONDS = 5;
    private static final String DAMAGES = "Knabla-Usage-Damages";

    /** Start and end of the usage that a query was asked of, in ISO 8601. */
    private static final String PERIOD = "Knabla-Usage-Period";

    private final CostService costs;
    private final CostWriter writer;
    private final SqlQueries tables;
    private final PriceStatusService prices;
    private final Instance<LedgerCheck> check;
    private final Clock clock;

    /** @param check opened when it is asked for, as the ledger is */
    CostsResource(
            CostService costs,
            CostWriter writer,
            SqlQueries tables,
            PriceStatusService prices,
            Instance<LedgerCheck> check,
            Clock clock) {
        this.costs = costs;
        this.writer = writer;
        this.tables = tables;
        this.prices = prices;
        this.check = check;
        this.clock = clock;
    }

    @Operation(operationId = "getCosts", summary = "The report of costs")
    @APIResponse(
            responseCode = "200",
            description = "The report; its form is that of the parameter format",
            content = @Content(mediaType = "application/json", schema = @Schema(type = SchemaType.OBJECT)))
    @GET
    public Response report(@Context UriInfo uri) {
        return report(uri, "");
    }

    /** @param scenario content of a scenario file: the user's own offers and options */
    @Operation(operationId = "compareCosts", summary = "The report of costs with offers of a scenario file")
    @RequestBody(content = @Content(mediaType = "application/yaml", schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(
            responseCode = "200",
            description = "The report; its form is that of the parameter format",
            content = @Content(mediaType = "application/json", schema = @Schema(type = SchemaType.OBJECT)))
    @POST
    public Response report(@Context UriInfo uri, InputStream scenario) {
        return report(uri, Bodies.text(scenario));
    }

    private Response report(UriInfo uri, String scenario) {
        ParsedQuery.Valid valid = valid(uri, scenario);
        return limited(() -> {
            CostAnswer answer = costs.answer(valid.query(), valid.format());
            return Response.ok(
                            writer.write(answer, valid.format()), valid.format().mediaType())
                    .header(DAMAGES, answer.damages().size())
                    .header(PagePolicy.HEADER, valid.format() == CostFormat.HTML ? CostPage.policy() : null)
                    .build();
        });
    }

    private ParsedQuery.Valid valid(UriInfo uri, String scenario) {
        List<Fault> faults = new ArrayList<>();
        Map<String, String> parameters = parameters(uri, faults);
        return switch (CostParameters.parse(parameters, scenario, now(), ZoneId.systemDefault())) {
            case ParsedQuery.Refused(var more) -> {
                faults.addAll(more);
                throw ProblemException.faults(faults);
            }
            case ParsedQuery.Valid valid -> {
                if (!faults.isEmpty()) {
                    throw ProblemException.faults(faults);
                }
                yield valid;
            }
        };
    }

    /** Whole seconds, as people write times. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private static Map<String, String> parameters(UriInfo uri, List<Fault> faults) {
        Map<String, String> parameters = new TreeMap<>();
        uri.getQueryParameters().forEach((key, values) -> {
            if (values.size() > 1) {
                faults.add(new Fault(key, "is there %d times; give it once".formatted(values.size())));
            }
            parameters.put(key, values.getFirst());
        });
        return parameters;
    }

    /** What is paid at this moment. */
    @Operation(operationId = "getCostsNow", summary = "What is paid at this moment")
    @APIResponseSchema(value = NowBody.class, responseCode = "200")
    @GET
    @Path("now")
    @Produces("application/json")
    public Response now(@QueryParam("tz") String zone) {
        ZoneId of = zone(zone);
        return limited(() -> Response.ok(NowBody.of(costs.now(of))).build());
    }

    private static ZoneId zone(String name) {
        try {
            return name == null ? ZoneId.systemDefault() : ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw ProblemException.faults(List.of(
                    new Fault("tz", "'%s' is no time zone; write one such as Europe/Berlin or UTC".formatted(name))));
        }
    }

    /** How complete and how old prices are. */
    @Operation(operationId = "getPrices", summary = "How complete and how old prices are")
    @APIResponseSchema(value = PriceStatus.class, responseCode = "200")
    @GET
    @Path("prices")
    @Produces("application/json")
    public Response prices() {
        return limited(() -> Response.ok(prices.status()).build());
    }

    /** What of the recorded usage is damaged or missing, whatever its age. */
    @Operation(operationId = "getUsageDamages", summary = "What of the recorded usage is damaged or missing")
    @APIResponseSchema(value = DamagesBody.class, responseCode = "200")
    @GET
    @Path("damages")
    @Produces("application/json")
    public Response damages() {
        return limited(() ->
                Response.ok(new DamagesBody(check.get().run(clock.instant()))).build());
    }

    /** @param select one SELECT over prices and the tables nodes, replicas, requests and costs of the period */
    @Operation(operationId = "queryCosts", summary = "Runs one SELECT over the usage of a period")
    @RequestBody(content = @Content(mediaType = "text/plain", schema = @Schema(type = SchemaType.STRING)))
    @APIResponseSchema(value = SqlOutcome.Answer.class, responseCode = "200")
    @POST
    @Path("sql")
    @Consumes("text/plain")
    @Produces("application/json")
    public Response sql(@Context UriInfo uri, InputStream select) {
        String query = Bodies.text(select);
        Period period = valid(uri, "").query().period();
        try {
            return tables.tryRun(query, period)
                    .map(queried -> response(queried, period))
                    .orElseGet(() -> busy("two queries are being run, or two reports made"));
        } catch (IOException failed) {
            throw unreadable(failed);
        }
    }

    private static Response response(SqlQueries.Queried queried, Period period) {
        return switch (queried.outcome()) {
            case SqlOutcome.Refused(var sentence) ->
                ProblemResponse.of(Problem.of(400, sentence)).build();
            case SqlOutcome.Answer answer ->
                Response.ok(answer)
                        .header(DAMAGES, queried.damages())
                        .header(PERIOD, "%s/%s".formatted(period.from(), period.until()))
                        .build();
        };
    }

    private Response limited(Work<Response> work) {
        try {
            return costs.tryRun(work).orElseGet(() -> busy("two reports of costs are being made"));
        } catch (IOException failed) {
            throw unreadable(failed);
        }
    }

    private static Response busy(String now) {
        return ProblemResponse.of(Problem.of(503, now + "; ask again in a moment"))
                .header("Retry-After", RETRY_SECONDS)
                .build();
    }

    private static ProblemException unreadable(IOException failed) {
        return new ProblemException(500, "the usage cannot be read: " + failed.getMessage());
    }

    @Schema(name = "UsageDamages")
    private record DamagesBody(List<LedgerDamage> items) {}

    /** Dollars; null where nothing has a price. */
    @Schema(name = "CostsNow")
    private record NowBody(
            int nodes,
            BigDecimal perHour,
            boolean perHourComplete,
            BigDecimal today,
            boolean todayComplete,
            List<BudgetView> budgets) {
        static NowBody of(CostNow now) {
            return new NowBody(
                    now.nodes(),
                    now.perHour().known().orElse(null),
                    now.perHour().missing().isEmpty(),
                    now.today().known().orElse(null),
                    now.today().missing().isEmpty(),
                    now.budgets());
        }
    }
}
