package io.knabla.controller.cost.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.pages.HtmlPage;
import io.knabla.controller.pages.SharedScript;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class CostPageTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    static final String HOSTILE = "</script><script>window.pwned=1</script><!--<img src=x onerror=window.pwned=1>";

    @Test
    void aPageSaysItsPolicy() throws IOException {
        var copy = new ByteArrayOutputStream();
        var live = new ByteArrayOutputStream();
        CostPage.write(UsageSample.twoWeeks(), copy);
        CostPage.writeLive(new CostPage.Reload("/data?a=b", Duration.ofSeconds(1)), live);

        String meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">";
        assertThat(copy.toString(StandardCharsets.UTF_8)).contains(meta.formatted(CostPage.policy()));
        assertThat(live.toString(StandardCharsets.UTF_8)).contains(meta.formatted(CostPage.livePolicy()));
        assertThat(CostPage.policy())
                .matches("default-src 'none'; script-src 'sha256-\\S+' 'sha256-\\S+'; .*connect-src 'none'; .*")
                .isEqualTo(CostPage.livePolicy().replace("'self'", "'none'"));
    }

    @Test
    void aLivePageLoadsItsChartsAndACopyHoldsThem() throws IOException {
        var live = new ByteArrayOutputStream();
        CostPage.writeLive(new CostPage.Reload("/data?a=b", Duration.ofSeconds(1)), live);

        SharedScript charts = HtmlPage.charts();
        assertThat(charts.text()).hasSizeGreaterThan(500_000);
        assertThat(live.toString(StandardCharsets.UTF_8))
                .contains("<script src=\"/assets/" + charts.hash() + "\" integrity=\"sha256-")
                .hasSizeLessThan(50_000);
        assertThat(html(UsageSample.twoWeeks())).contains(charts.text()).doesNotContain("/assets/");
    }

    @Test
    void everyChartSumsToTheTotal() throws IOException {
        JsonNode data = data(UsageSample.twoWeeks());
        BigDecimal total = data.at("/total/cost/usd").decimalValue();
        assertThat(total).isGreaterThan(BigDecimal.TEN);
        for (List<JsonNode> amounts : List.of(
                data.at("/bars/groups").findValues("usd"),
                data.get("days").findValues("usd"),
                list(data.get("lines")))) {
            BigDecimal sum = amounts.stream().map(CostPageTest::sum).reduce(BigDecimal.ZERO, BigDecimal::add);
            // Charts have 8 digits of each amount.
            assertThat(sum.subtract(total).abs()).isLessThan(new BigDecimal("0.0001"));
        }
    }

    @Test
    void eachLineIsOfItsRow() throws IOException {
        JsonNode data = data(UsageSample.twoWeeks());
        assertThat(data.get("lines")).hasSameSizeAs(data.get("rows")).hasSize(9);
        for (int i = 0; i < data.get("rows").size(); i++) {
            BigDecimal cost = data.at("/rows/%d/cost/usd".formatted(i)).decimalValue();
            assertThat(sum(data.at("/lines/" + i)).subtract(cost).abs()).isLessThan(new BigDecimal("0.00001"));
        }
    }

    @Test
    void aShortPeriodHasBarsOfHours() throws IOException {
        JsonNode data = data(UsageSample.input(3, UsageSample.FUNCTIONS, List.of()));
        assertThat(data.at("/bars/step").asText()).isEqualTo("HOUR");
        assertThat(data.at("/bars/times")).hasSize(72);
        assertThat(data.get("days")).hasSize(3);
    }

    @Test
    void anHourThatClocksRepeatCountsTwiceAndOnesThatTheySkipAreEmpty() throws IOException {
        assertThat(hours("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"))
                .noneMatch(JsonNode::isNull)
                .hasSize(24);
        List<JsonNode> spring = hours("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z");
        assertThat(IntStream.range(0, 24).filter(i -> spring.get(i).isNull())).containsExactly(2);
    }

    private static List<JsonNode> hours(String from, String until) throws IOException {
        CostPageInput sample = UsageSample.input(1, UsageSample.FUNCTIONS, List.of());
        Period day = Period.past(Instant.parse(from), Instant.parse(until));
        return list(data(new CostPageInput(
                        new UsageRows(List.of(), List.of()),
                        day,
                        UsageSample.ZONE,
                        sample.results().subList(0, 1),
                        List.of(),
                        List.of()))
                .at("/days/0/usd"));
    }

    @Test
    void manyFunctionsAndDaysAreBounded() throws IOException {
        List<String> functions = IntStream.range(0, 500)
                .mapToObj(i -> "team-%d/function-%d".formatted(i % 20, i))
                .toList();
        CostPageInput input = UsageSample.input(120, functions, List.of());
        String text = CostPage.data(input);
        JsonNode data = JSON.readTree(text);
        assertThat(text).hasSizeLessThan(200_000);
        assertThat(data.get("rows")).hasSize(52);
        assertThat(data.at("/rows/50/group").asText()).isEqualTo("(450 others)");
        assertThat(data.at("/lines/0")).hasSizeLessThanOrEqualTo(60);
        assertThat(list(data.get("rows")).stream()
                        .map(row -> row.at("/cost/usd").decimalValue())
                        .reduce(BigDecimal.ZERO, BigDecimal::add))
                .isEqualByComparingTo(input.ran().total());
        assertThat(sum(data.at("/lines/50"))
                        .subtract(data.at("/rows/50/cost/usd").decimalValue())
                        .abs())
                .isLessThan(new BigDecimal("0.001"));
    }

    @Test
    void notesOfOneTextAreOne() throws IOException {
        JsonNode data = data(UsageSample.input(1, UsageSample.FUNCTIONS, List.of("the file x is corrupt")));
        assertThat(data.get("notes").findValuesAsText("text"))
                .startsWith("the file x is corrupt")
                .contains("No price of a commitment")
                .doesNotHaveDuplicates();
        assertThat(data.get("notes").findValues("scenarios").toString())
                .contains("[\"1-year commitment\",\"3-year commitment\"]");
        assertThat(data.get("notes").findValues("moreSubjects")).anyMatch(more -> more.intValue() > 0);
    }

    @Test
    void pricesOfOneSourceAreOneRange() throws IOException {
        JsonNode prices = data(UsageSample.twoWeeks()).get("prices");
        assertThat(prices.findValuesAsText("subject")).contains("an hour of m5.xlarge us-east-1 use1-az1");
        assertThat(prices.findValuesAsText("quality")).contains("HISTORY", "DEFAULT");
        assertThat(prices.findValues("source"))
                .allMatch(source -> source.asText().length() > 10);
    }

    @Test
    void noTextEndsItsElement() throws IOException {
        CostPageInput hostile = UsageSample.input(1, List.of("shop/" + HOSTILE), List.of(HOSTILE));
        assertThat(CostPage.data(hostile)).doesNotContain("<").contains("\\u003c/script>");
        assertThat(scripts(html(hostile))).isEqualTo(scripts(html(UsageSample.twoWeeks())));
    }

    @Test
    void nothingIsLoadedFromElsewhere() throws IOException {
        String html = html(UsageSample.twoWeeks());
        assertThat(html)
                .contains("default-src 'none'; script-src 'sha256-")
                .contains("connect-src 'none'; form-action 'none'")
                .doesNotContain("'unsafe-eval'")
                .doesNotContain("@@");
        Matcher address = Pattern.compile("(?:src|href|url)\\s*[=(]\\s*[\"']?(https?:|//)")
                .matcher(html);
        assertThat(address.find()).isFalse();
    }

    @Test
    void aPageNeedsWhatRan() {
        CostPageInput sample = UsageSample.input(1, UsageSample.FUNCTIONS, List.of());
        assertThatThrownBy(() -> new CostPageInput(
                        sample.rows(),
                        sample.period(),
                        sample.zone(),
                        sample.results().subList(1, 3),
                        List.of(),
                        List.of()))
                .hasMessageContaining(Scenario.AS_IT_RAN + " among its scenarios, not only [ALL_ON_DEMAND, ALL_SPOT]");
    }

    private static long scripts(String html) {
        return Pattern.compile("<script").matcher(html).results().count();
    }

    private static String html(CostPageInput input) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CostPage.write(input, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode data(CostPageInput input) throws IOException {
        return JSON.readTree(CostPage.data(input));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static BigDecimal sum(JsonNode amounts) {
        return list(amounts).stream()
                .filter(amount -> !amount.isNull())
                .map(JsonNode::decimalValue)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
