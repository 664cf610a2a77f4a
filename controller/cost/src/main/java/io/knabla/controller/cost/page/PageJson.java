package io.knabla.controller.cost.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.knabla.controller.cost.report.CostJson;
import io.knabla.controller.cost.report.CostKind;
import io.knabla.controller.cost.report.CostOverTime;
import io.knabla.controller.cost.report.CostTable;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.report.Group;
import io.knabla.controller.cost.report.ReportTexts;
import io.knabla.controller.cost.scenario.CostPart;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes what a cost page shows as one JSON document. Its size is bounded, however many rows the report has. */
final class PageJson {
    /** Functions with a row of their own. */
    private static final int FUNCTIONS = 50;

    private static final int PRICES = 200;
    private static final int NOTES = 200;
    private static final int SUBJECTS = 5;

    /** More digits than a chart shows. */
    private static final MathContext CHART = new MathContext(8);

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private final JsonGenerator out;

    private PageJson(JsonGenerator out) {
        this.out = out;
    }

    static String of(CostPageInput input) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            new PageJson(out).page(input);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
        return text.toString();
    }

    private void page(CostPageInput input) throws IOException {
        CostTable functions = CostTable.of(
                        Dimension.FUNCTION,
                        input.zone(),
                        Scenario.AS_IT_RAN,
                        input.rows(),
                        input.period(),
                        input.results())
                .limited(FUNCTIONS);
        PageTimes times = new PageTimes(input);
        out.writeStartObject();
        CostJson.writeFields(functions, input.tokenPrices(), out);
        out.writeArrayFieldStart("lines");
        for (List<BigDecimal> line : times.lines(functions)) {
            amounts(line);
        }
        out.writeEndArray();
        bars(times.step(), times.bars());
        hours(times.hoursByDay());
        out.writeArrayFieldStart("scenarios");
        for (ScenarioResult result : input.results()) {
            scenario(result);
        }
        out.writeEndArray();
        prices(PriceSummary.of(input.results()));
        notes(ReportNote.of(input));
        out.writeEndObject();
    }

    private void bars(Dimension step, CostOverTime bars) throws IOException {
        out.writeObjectFieldStart("bars");
        out.writeStringField("step", step.name());
        texts("times", bars.times().stream().map(Group::name).toList());
        out.writeArrayFieldStart("groups");
        for (Group group : bars.usd().keySet().stream()
                .sorted(Group.NAMED_FIRST.thenComparing(Group::name))
                .toList()) {
            out.writeStartObject();
            out.writeStringField("name", group.name());
            out.writeFieldName("usd");
            amounts(bars.of(group));
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void hours(Map<LocalDate, BigDecimal[]> days) throws IOException {
        out.writeArrayFieldStart("days");
        for (Map.Entry<LocalDate, BigDecimal[]> day : days.entrySet()) {
            out.writeStartObject();
            out.writeStringField("date", day.getKey().toString());
            out.writeFieldName("usd");
            amounts(Arrays.asList(day.getValue()));
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void scenario(ScenarioResult result) throws IOException {
        out.writeStartObject();
        out.writeStringField("id", result.scenario().name());
        out.writeStringField("name", ReportTexts.of(result.scenario()));
        out.writeNumberField("usd", result.total());
        out.writeNumberField("creditUsd", result.credit());
        out.writeNumberField("freeTierUsd", result.freeTier());
        texts(
                "missing",
                result.unpriced().stream()
                        .map(unpriced -> ReportTexts.of(unpriced.reason()))
                        .distinct()
                        .toList());
        out.writeArrayFieldStart("split");
        for (BigDecimal usd : split(result).values()) {
            out.writeNumber(usd);
        }
        out.writeEndArray();
        texts(
                "breakEvens",
                result.breakEvens().stream()
                        .limit(SUBJECTS)
                        .map(ReportTexts::of)
                        .toList());
        out.writeEndObject();
    }

    /** Has every kind, in their order. */
    private static Map<CostKind, BigDecimal> split(ScenarioResult result) {
        Map<CostKind, BigDecimal> split = new EnumMap<>(CostKind.class);
        Stream.of(CostKind.values()).forEach(kind -> split.put(kind, BigDecimal.ZERO));
        for (CostPart part : CostPart.values()) {
            split.merge(CostKind.of(part), result.of(part), BigDecimal::add);
        }
        return split;
    }

    private void prices(List<PriceSummary> prices) throws IOException {
        out.writeArrayFieldStart("prices");
        for (PriceSummary price : prices.stream().limit(PRICES).toList()) {
            out.writeStartObject();
            out.writeStringField("subject", price.subject());
            out.writeNumberField("lowestUsd", price.lowest());
            out.writeNumberField("highestUsd", price.highest());
            out.writeNumberField("changes", price.changes());
            out.writeStringField("quality", price.quality().name());
            out.writeStringField("source", price.source());
            out.writeStringField("retrieved", price.retrieved().toString());
            texts("scenarios", price.scenarios());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNumberField("morePrices", Math.max(0, prices.size() - PRICES));
    }

    private void notes(List<ReportNote> notes) throws IOException {
        out.writeArrayFieldStart("notes");
        for (ReportNote note : notes.stream().limit(NOTES).toList()) {
            out.writeStartObject();
            out.writeStringField("kind", note.kind().name());
            out.writeStringField("text", note.text());
            texts("subjects", note.subjects().stream().limit(SUBJECTS).toList());
            out.writeNumberField("moreSubjects", Math.max(0, note.subjects().size() - SUBJECTS));
            texts("scenarios", note.scenarios());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNumberField("moreNotes", Math.max(0, notes.size() - NOTES));
    }

    private void texts(String field, Collection<String> texts) throws IOException {
        out.writeArrayFieldStart(field);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }

    private void amounts(List<BigDecimal> usd) throws IOException {
        out.writeStartArray();
        for (BigDecimal amount : usd) {
            out.writeNumber(amount == null ? null : amount.round(CHART).stripTrailingZeros());
        }
        out.writeEndArray();
    }
}
