package io.knabla.controller.cost.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UsageSummary.ResourceSeconds;
import io.knabla.controller.cost.token.TokenCost;
import io.knabla.controller.cost.token.TokenPrice;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a report as one JSON document, in UTF-8.
 *
 * <p>Decimals are JSON numbers without an exponent and with all of their digits; readers that keep numbers as doubles
 * lose what is beyond 15 digits. Times are ISO 8601 in UTC. A field without a value is left out. Of a cost, {@code usd}
 * is what has a price, left out if nothing has, and {@code missing} says why prices are missing.
 */
public final class CostJson {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private final JsonGenerator out;
    private final List<TokenPrice> tokenPrices;

    private CostJson(JsonGenerator out, List<TokenPrice> tokenPrices) {
        this.out = out;
        this.tokenPrices = tokenPrices;
    }

    /** Writes further fields of the document. */
    public interface Extra {
        void write(JsonGenerator out) throws IOException;
    }

    /** @param out stays open */
    public static void write(CostReport report, OutputStream out) throws IOException {
        write(report, List.of(), more -> {}, out);
    }

    /**
     * @param tokenPrices at which tokens are priced as well
     * @param out stays open
     */
    public static void write(CostReport report, List<TokenPrice> tokenPrices, Extra extra, OutputStream out)
            throws IOException {
        try (JsonGenerator generator = JSON.createGenerator(out)) {
            new CostJson(generator, tokenPrices).report(report, extra);
        }
    }

    /**
     * Writes a table's fields, without its scenarios, into the object that the generator is in.
     *
     * @param tokenPrices at which tokens are priced as well
     * @param out of which decimals are written without an exponent
     */
    public static void writeFields(CostTable table, List<TokenPrice> tokenPrices, JsonGenerator out)
            throws IOException {
        new CostJson(out, tokenPrices).table(table);
    }

    private void report(CostReport report, Extra extra) throws IOException {
        out.writeStartObject();
        table(report.table());
        out.writeFieldName("scenarios");
        new ScenarioJson(out).all(report.scenarios());
        extra.write(out);
        out.writeEndObject();
    }

    private void table(CostTable table) throws IOException {
        out.writeObjectFieldStart("period");
        out.writeStringField("from", table.period().from().toString());
        out.writeStringField("until", table.period().until().toString());
        out.writeStringField("readAt", table.period().readAt().toString());
        out.writeEndObject();
        out.writeStringField("dimension", table.dimension().name());
        out.writeStringField("timeZone", table.zone().getId());
        out.writeStringField("currency", CostReport.CURRENCY);
        out.writeStringField("mainScenario", table.main().name());
        out.writeArrayFieldStart("rows");
        for (CostRow row : table.rows()) {
            row(table, row);
        }
        out.writeEndArray();
        out.writeFieldName("total");
        row(table, table.total());
    }

    private void row(CostTable table, CostRow row) throws IOException {
        out.writeStartObject();
        out.writeStringField("group", row.group().name());
        if (row.group().time().isPresent()) {
            Interval time = row.group().time().get();
            out.writeStringField("start", time.start().toString());
            out.writeStringField("end", time.end().orElseThrow().toString());
        }
        usage(row.use());
        out.writeFieldName("cost");
        amount(row.cost());
        split(row.split());
        out.writeObjectFieldStart("otherScenarios");
        for (Map.Entry<Scenario, Amount> other : row.others().entrySet()) {
            out.writeFieldName(JsonNames.of(other.getKey()));
            amount(other.getValue());
        }
        out.writeEndObject();
        figures(row);
        Optional<TokenCost> tokens = table.tokens(row, tokenPrices);
        if (tokens.isPresent()) {
            tokens(tokens.get());
        }
        out.writeEndObject();
    }

    private void usage(UsageTotals use) throws IOException {
        decimal("replicaSeconds", use.replicaSeconds());
        resources("requested", use.requested());
        resources("used", use.used());
        Work work = use.work();
        out.writeObjectFieldStart("requests");
        out.writeNumberField("ok", work.succeeded());
        out.writeNumberField("failed", work.failed());
        out.writeNumberField("retried", work.retried());
        out.writeEndObject();
        out.writeNumberField("elements", work.elements());
        counters(work.counters());
    }

    private void counters(Counters counters) throws IOException {
        if (counters.isEmpty()) {
            return;
        }
        out.writeObjectFieldStart("counters");
        for (Map.Entry<String, Long> counter : counters.byName().entrySet()) {
            out.writeNumberField(counter.getKey(), counter.getValue());
        }
        out.writeEndObject();
    }

    private void resources(String field, ResourceSeconds amount) throws IOException {
        out.writeObjectFieldStart(field);
        decimal("vcpuSeconds", amount.vcpu());
        decimal("gibSeconds", UsageTotals.gibSeconds(amount));
        decimal("gpuSeconds", amount.gpu());
        out.writeEndObject();
    }

    private void amount(Amount amount) throws IOException {
        out.writeStartObject();
        decimal("usd", amount.known());
        missing(amount.missing());
        out.writeEndObject();
    }

    private void missing(Set<Unpriced.Reason> reasons) throws IOException {
        if (reasons.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart("missing");
        for (Unpriced.Reason reason : reasons) {
            out.writeString(reason.name());
        }
        out.writeEndArray();
    }

    private void split(Map<CostKind, BigDecimal> split) throws IOException {
        out.writeObjectFieldStart("split");
        for (Map.Entry<CostKind, BigDecimal> part : split.entrySet()) {
            decimal(JsonNames.of(part.getKey()) + "Usd", part.getValue());
        }
        out.writeEndObject();
    }

    private void figures(CostRow row) throws IOException {
        if (row.saved().isPresent()) {
            out.writeObjectFieldStart("saved");
            decimal("usd", row.saved().get().usd());
            decimal("share", row.saved().get().share());
            out.writeEndObject();
        }
        decimal("usdPerThousandRequests", row.perUnit().perThousandRequests());
        decimal("usdPerMillionElements", row.perUnit().perMillionElements());
    }

    private void tokens(TokenCost cost) throws IOException {
        out.writeObjectFieldStart("tokens");
        out.writeNumberField("prompt", cost.tokens().prompt());
        out.writeNumberField("cached", cost.tokens().cached());
        out.writeNumberField("generated", cost.tokens().generated());
        decimal("usdPerMillion", cost.usdPerMillion());
        out.writeArrayFieldStart("atListPrices");
        for (TokenCost.Elsewhere other : cost.others()) {
            out.writeStartObject();
            out.writeStringField("name", other.name());
            decimal("usd", other.usd());
            decimal("usdPerMillion", other.usdPerMillion());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void decimal(String field, Optional<BigDecimal> value) throws IOException {
        if (value.isPresent()) {
            decimal(field, value.get());
        }
    }

    private void decimal(String field, BigDecimal value) throws IOException {
        out.writeNumberField(field, Decimals.stripped(value));
    }
}
