package io.knabla.controller.cost.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.Fault;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.usage.Interval;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;

/** Writes what each scenario costs and rests on: prices with their sources, assumptions, faults, missing prices. */
record ScenarioJson(JsonGenerator out) {
    private interface Writer<T> {
        void write(T value) throws IOException;
    }

    void all(List<ScenarioResult> results) throws IOException {
        out.writeStartArray();
        for (ScenarioResult result : results) {
            scenario(result);
        }
        out.writeEndArray();
    }

    private void scenario(ScenarioResult result) throws IOException {
        out.writeStartObject();
        out.writeStringField("scenario", result.scenario().name());
        decimal("totalUsd", result.total());
        decimal("creditUsd", result.credit());
        decimal("freeTierUsd", result.freeTier());
        out.writeBooleanField("complete", result.unpriced().isEmpty());
        objects("prices", result.prices(), this::price);
        objects("assumptions", result.assumptions(), this::assumption);
        objects("breakEvens", result.breakEvens(), this::breakEven);
        objects("unpriced", result.unpriced(), this::unpriced);
        objects("faults", result.faults(), this::fault);
        out.writeEndObject();
    }

    private <T> void objects(String field, List<T> values, Writer<T> writer) throws IOException {
        out.writeArrayFieldStart(field);
        for (T value : values) {
            out.writeStartObject();
            writer.write(value);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void price(UsedPrice used) throws IOException {
        Provenance provenance = used.price().provenance();
        out.writeStringField("subject", used.subject());
        decimal("usd", used.price().usd());
        out.writeStringField("quality", provenance.quality().name());
        out.writeStringField("source", provenance.source());
        out.writeStringField("retrieved", provenance.retrieved().toString());
    }

    private void assumption(Assumption assumption) throws IOException {
        out.writeStringField("kind", assumption.kind().name());
        out.writeStringField("subject", assumption.subject());
        decimal("value", assumption.value());
    }

    private void breakEven(ScenarioResult.BreakEven breakEven) throws IOException {
        out.writeStringField("instanceType", breakEven.kind().instanceType());
        out.writeStringField("region", breakEven.kind().region());
        out.writeNumberField("instances", breakEven.instances());
        decimal("utilisation", breakEven.utilisation());
        decimal("breakEvenUtilisation", breakEven.breakEven());
    }

    private void unpriced(Unpriced unpriced) throws IOException {
        Interval time = unpriced.time();
        out.writeStringField("reason", unpriced.reason().name());
        out.writeStringField("row", unpriced.row());
        out.writeStringField("subject", unpriced.subject());
        out.writeStringField("start", time.start().toString());
        if (time.end().isPresent()) {
            out.writeStringField("end", time.end().get().toString());
        }
    }

    private void fault(Fault fault) throws IOException {
        out.writeStringField("kind", fault.kind().name());
        out.writeStringField("row", fault.row());
        out.writeStringField("detail", fault.detail());
    }

    private void decimal(String field, BigDecimal value) throws IOException {
        out.writeNumberField(field, Decimals.stripped(value));
    }
}
