package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions.InstanceKind;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.usage.Interval;
import io.knabla.functions.Fault;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostParametersTest {
    /** Two days after the clocks of Berlin went back from +02:00 to +01:00. */
    private static final Instant NOW = Instant.parse("2026-10-27T10:00:00Z");

    private static ParsedQuery parse(Map<String, String> parameters, String scenario) {
        return CostParameters.parse(parameters, scenario, NOW, ZoneOffset.UTC);
    }

    private static CostQuery valid(Map<String, String> parameters, String scenario) {
        ParsedQuery parsed = parse(parameters, scenario);
        assertThat(parsed).isInstanceOf(ParsedQuery.Valid.class);
        return ((ParsedQuery.Valid) parsed).query();
    }

    private static List<Fault> faults(Map<String, String> parameters, String scenario) {
        ParsedQuery parsed = parse(parameters, scenario);
        assertThat(parsed).isInstanceOf(ParsedQuery.Refused.class);
        return ((ParsedQuery.Refused) parsed).faults();
    }

    @Test
    void withoutParametersItIsTheLastDayByFunction() {
        CostQuery query = valid(Map.of(), "");

        assertThat(query.period().from()).isEqualTo("2026-10-26T10:00:00Z");
        assertThat(query.period().until()).isEqualTo(NOW);
        assertThat(query.dimension()).isEqualTo(Dimension.FUNCTION);
        assertThat(query.main()).isEqualTo(Scenario.AS_IT_RAN);
    }

    @ParameterizedTest
    @CsvSource({
        "-24h,                       2026-10-26T10:00:00Z",
        "90m,                        2026-10-27T08:30:00Z",
        // three days of the calendar: one of them had 25 hours
        "3d,                         2026-10-24T09:00:00Z",
        "1w,                         2026-10-20T09:00:00Z",
        "today,                      2026-10-26T23:00:00Z",
        "yesterday,                  2026-10-25T23:00:00Z",
        "this month,                 2026-09-30T22:00:00Z",
        "last-month,                 2026-08-31T22:00:00Z",
        "2026-10-25,                 2026-10-24T22:00:00Z",
        "2026-10-25T12:00,           2026-10-25T11:00:00Z",
        "2026-10-25T02:30:00+02:00,  2026-10-25T00:30:00Z",
        "2026-10-25T02:30:00Z,       2026-10-25T02:30:00Z"
    })
    void readsTimesInTheirZone(String text, Instant expected) {
        assertThat(valid(Map.of("from", text, "tz", "Europe/Berlin"), "")
                        .period()
                        .from())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "today,      UTC,           2026-10-27T00:00:00Z, 2026-10-27T10:00:00Z",
        "yesterday,  UTC,           2026-10-26T00:00:00Z, 2026-10-27T00:00:00Z",
        "this month, UTC,           2026-10-01T00:00:00Z, 2026-10-27T10:00:00Z",
        "last month, UTC,           2026-09-01T00:00:00Z, 2026-10-01T00:00:00Z",
        "Last-Month, Europe/Berlin, 2026-08-31T22:00:00Z, 2026-09-30T22:00:00Z"
    })
    void aNamedPeriodIsWholeAsFarAsItIsOver(String name, String zone, Instant from, Instant until) {
        assertThat(valid(Map.of("period", name, "tz", zone), "").period()).isEqualTo(new Period(from, until, NOW));
    }

    @Test
    void lastMonthOfJanuaryIsDecember() {
        Instant january = Instant.parse("2027-01-31T23:59:59Z");

        assertThat(NamedPeriod.LAST_MONTH.at(january, ZoneOffset.UTC))
                .isEqualTo(Interval.of(Instant.parse("2026-12-01T00:00:00Z"), Instant.parse("2027-01-01T00:00:00Z")));
    }

    @Test
    void refusesAPeriodThatIsUnknownOrGivenTwice() {
        assertThat(faults(Map.of("period", "next month"), ""))
                .containsExactly(
                        new Fault("period", "is 'next month'; allowed are today, yesterday, this-month, last-month"));
        assertThat(faults(Map.of("period", "today", "from", "7d"), ""))
                .extracting(Fault::path)
                .containsExactly("period");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10-25T02:30, 'exists twice in Europe/Berlin'",
        "2026-03-29T02:30, 'does not exist in Europe/Berlin'",
        "tomorrow,         'is no time; write now'",
        "2026-13-01,       'is no time'",
        "1969-01-01,       'outside of the years'",
        "+999999999-01-01, 'outside of the years'",
        "99999w,           'is no time|outside of the years'",
        "2016-10-01,       'more than ten years'",
        "2026-10-28,       'must be after from'"
    })
    void refusesTimesThatMeanNothing(String text, String expected) {
        assertThat(faults(Map.of("from", text, "tz", "Europe/Berlin"), ""))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).containsPattern(expected));
    }

    @Test
    void aPeriodInTheFutureHasNoUsage() {
        assertThat(faults(Map.of("from", "2027-01-01", "to", "2027-02-01"), ""))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("lies in the future"));
    }

    @Test
    void tellsAllFaultsAtOnce() {
        Map<String, String> wrong =
                Map.of("from", "x", "to", "y", "by", "colour", "scenario", "free", "tz", "Moon", "frm", "1");

        assertThat(faults(wrong, "architecture: z80\nprices: [{offer: Gift}]\n"))
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "frm", "tz", "from", "to", "by", "scenario", "architecture", "prices[0].offer");
    }

    @Test
    void readsAScenarioFile() {
        CostQuery query = valid(Map.of("scenario", "per-use", "by", "Day"), """
                architecture: arm64
                interruptionShare: 0.05
                committed: [{instanceType: m7i.large, region: us-east-1, count: 3}]
                prices:
                  - {offer: ServerlessGpu, name: someone, perGpuSecond: 0.0003}
                  - {offer: OnDemand, instanceType: box, perHour: 0.2, from: 2026-01-01}
                """);

        assertThat(query.main()).isEqualTo(Scenario.PER_USE);
        assertThat(query.dimension()).isEqualTo(Dimension.DAY);
        assertThat(query.options().architecture()).isEqualTo(Architecture.ARM64);
        assertThat(query.options().interruptionShare()).contains(new BigDecimal("0.05"));
        assertThat(query.options().committed())
                .containsExactly(Map.entry(new InstanceKind("m7i.large", "us-east-1"), 3));
        assertThat(query.prices())
                .extracting(DeclaredPrice::offer)
                .containsExactly(
                        new DeclaredPrice.ServerlessGpu("someone", new BigDecimal("0.0003")),
                        new DeclaredPrice.Instance("box", "*", new BigDecimal("0.2")));
    }

    @Test
    void tellsAllFaultsOfAScenarioFile() {
        String wrong = """
                spot: true
                interruptionShare: -1
                committed: [{instanceType: a, count: 1.5}]
                prices:
                  - {offer: OnDemand, instanceType: a, perHour: cheap, zoneId: z}
                  - {offer: Spot, instanceType: a, perHour: -1, currency: EUR}
                  - {offer: FargateSpot, architecture: z80, perVcpuHour: 1, perGbHour: 1, until: soon}
                """;

        assertThat(faults(Map.of(), wrong))
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "spot",
                        "interruptionShare",
                        "committed[0].region",
                        "committed[0].count",
                        "prices[0].zoneId",
                        "prices[0].perHour",
                        "prices[1].perHour",
                        "prices[1].currency",
                        "prices[2].architecture",
                        "prices[2].until");
        assertThat(faults(Map.of(), "- a\n")).hasSize(1);
        assertThat(faults(Map.of(), "{a: 1, a: 2}")).hasSize(1);
        assertThat(faults(Map.of(), "a: [")).hasSize(1);
    }
}
