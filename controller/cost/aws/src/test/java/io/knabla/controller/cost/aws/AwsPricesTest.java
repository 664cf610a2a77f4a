package io.knabla.controller.cost.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.aws.ReplayServer.Answer;
import io.knabla.controller.cost.aws.ReplayServer.Call;
import io.knabla.controller.cost.pricelist.PriceRefresher;
import io.knabla.controller.cost.pricelist.RefreshedPrices;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.usage.Interval;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The SDK's clients against replayed answers. */
class AwsPricesTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final String REGION = "us-east-1";

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final Set<String> types = new TreeSet<>(Set.of("g5.xlarge"));
    private Instant now = NOW;
    private ReplayServer server;
    private AwsPrices aws;

    @BeforeEach
    void start() throws IOException {
        server = new ReplayServer();
        aws = new AwsPrices(
                Optional.of(server.address()),
                StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")),
                Duration.ofMillis(1));
    }

    @AfterEach
    void stop() {
        aws.close();
        server.close();
    }

    @Test
    void allPricesAreAskedForAndKept() {
        types.add("p5.48xlarge");

        assertThat(refresh())
                .containsExactly(
                        "aws-ec2 in us-east-1: AWS lists no price of p5.48xlarge there; is it named as AWS names it?");

        PriceBook book = book();
        assertThat(book.onDemand("g5.xlarge", REGION, NOW).orElseThrow().usd()).isEqualByComparingTo("1.006");
        assertThat(book.committed("g5.xlarge", REGION, Commitment.ONE_YEAR, NOW)
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("0.6");
        assertThat(book.committed("p5.48xlarge", REGION, Commitment.ONE_YEAR, NOW)
                        .orElseThrow())
                .satisfies(price -> assertThat(price.usd()).isEqualByComparingTo("33.02"))
                .satisfies(price -> assertThat(price.provenance().source())
                        .isEqualTo("AWS DescribeSavingsPlansOfferingRates, offering o-1y (EC2 Instance, all upfront)"));
        assertThat(book.committed("p5.48xlarge", REGION, Commitment.THREE_YEARS, NOW)
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("24.77");
        assertThat(book.lambda(REGION, Architecture.ARM64, NOW).orElseThrow().tiers())
                .hasSize(3);
        assertThat(book.fargate(REGION, Architecture.X86_64, NOW)
                        .orElseThrow()
                        .onDemand()
                        .perVcpuHour()
                        .usd())
                .isEqualByComparingTo("0.04048");
    }

    @Test
    void spotPricesAreKeyedByZoneId() {
        refresh();

        assertThat(spot("use1-az6"))
                .containsExactly(
                        "2026-11-18T05:00:00Z..2026-11-20T08:31:07Z 0.402300",
                        "2026-11-20T08:31:07Z..2026-11-27T12:00:00Z 0.411200");
        assertThat(spot("use1-az1"))
                .containsExactly(
                        "2026-08-20T10:00:00Z..2026-11-19T21:02:11Z 0.397000",
                        "2026-11-19T21:02:11Z..2026-11-27T12:00:00Z 0.398700");
    }

    @Test
    void aHistoryIsAskedForFromWhereItEnds() {
        refresh();
        now = NOW.plus(Duration.ofDays(1));
        refresh();
        types.add("c7g.large");
        refresh();

        assertThat(server.calls)
                .filteredOn(call -> call.action().equals("DescribeSpotPriceHistory"))
                .filteredOn(call -> ReplayServer.field(call.body(), "NextToken").isEmpty())
                .extracting(call -> field(call, "InstanceType.1") + " " + field(call, "StartTime"))
                .containsExactly(
                        "g5.xlarge 2026-08-22T12:00:00Z",
                        "g5.xlarge 2026-11-20T11:00:00Z",
                        "c7g.large 2026-08-23T12:00:00Z",
                        "g5.xlarge 2026-11-21T11:00:00Z");
        assertThat(spot("use1-az1")).hasSize(2).last().isEqualTo("2026-11-19T21:02:11Z..2026-11-28T12:00:00Z 0.398700");
    }

    @Test
    void throttledCallsAreTriedAgain() {
        everyOther(
                "GetProducts",
                new Answer(400, "{\"__type\":\"ThrottlingException\",\"message\":\"Rate exceeded\"}", 0));
        everyOther("DescribeSpotPriceHistory", new Answer(503, error("RequestLimitExceeded"), 0));
        everyOther("DescribeSavingsPlansOfferingRates", new Answer(503, "", 0));

        assertThat(refresh()).isEmpty();
        assertThat(book().onDemand("g5.xlarge", REGION, NOW)).isPresent();
        assertThat(spot("use1-az6")).hasSize(2);
    }

    @Test
    void aTruncatedAnswerIsTriedAgain() {
        everyOther("GetProducts", new Answer(200, "{\"FormatVersion\":\"aws_v1\",\"PriceLi", 500));
        everyOther(
                "DescribeSpotPriceHistory",
                new Answer(200, ReplayServer.file("spot-2.xml").substring(0, 300), 500));

        assertThat(refresh()).isEmpty();
        assertThat(spot("use1-az6")).hasSize(2);
    }

    @Test
    void aPageThatFailsKeepsTheOldPricesOfItsKindOnly() {
        refresh();
        now = NOW.plus(Duration.ofDays(1));
        server.replace(
                "DescribeSpotPriceHistory",
                call -> field(call, "NextToken").isEmpty()
                        ? Optional.of(Answer.ok(ReplayServer.file("spot-1.xml").replace("0.411200", "9.9")))
                        : Optional.of(new Answer(403, error("UnauthorizedOperation"), 0)));

        assertThat(refresh())
                .singleElement()
                .asString()
                .startsWith("aws-spot in us-east-1: old prices stay: ")
                .contains("You are not authorized");
        assertThat(spot("use1-az6")).last().asString().endsWith(" 0.411200");

        server.replace("DescribeSpotPriceHistory", _ -> Optional.empty());
        assertThat(refresh()).isEmpty();
        assertThat(server.calls.getLast().body()).contains("page%2B2");
        assertThat(server.calls)
                .filteredOn(call -> call.action().equals("DescribeSpotPriceHistory"))
                .last()
                .satisfies(call -> assertThat(field(call, "StartTime")).isEqualTo("2026-11-20T11:00:00Z"));
    }

    @Test
    void pricesThatCannotBeReadAreNamed() {
        replaceIn(
                "GetProducts",
                body -> body.replace("\\\"USD\\\":\\\"1.0060000000\\\"", "\\\"USD\\\":\\\"1,006\\\"")
                        .replace("\\\"USD\\\":\\\"0.0404800000\\\"", "\\\"USD\\\":\\\"0.0000000000\\\""));
        replaceIn("DescribeSpotPriceHistory", body -> body.replace("0.398700", "0.000000"));

        assertThat(refresh())
                .anyMatch(text -> text.startsWith(
                        "aws-ec2 in us-east-1: product ABCDEFGHJKLMNPQR has a price that is not in USD"))
                .anyMatch(
                        text -> text.startsWith("aws-fargate in us-east-1: product VX has no price in USD (price is 0"))
                .anyMatch(text -> text.startsWith("aws-spot in us-east-1: ") && text.contains("price is 0"))
                .hasSize(4);
        assertThat(book().onDemand("g5.xlarge", REGION, NOW)).isEmpty();
        assertThat(book().fargate(REGION, Architecture.X86_64, NOW)).isEmpty();
        assertThat(book().fargate(REGION, Architecture.ARM64, NOW)).isPresent();
    }

    @Test
    void ratesInAnotherCurrencyOrOfAnUnknownTermAreNamed() {
        types.add("p5.48xlarge");
        replaceIn(
                "DescribeSavingsPlansOfferingRates",
                body -> body.replace("\"USD\"", "\"CNY\"").replace("94608000", "5"));

        assertThat(refresh())
                .contains(
                        "aws-savings-plans in us-east-1: rate of BoxUsage:p5.48xlarge: is in CNY per Hrs, but must be in USD per Hrs",
                        "aws-savings-plans in us-east-1: rate of BoxUsage:g5.xlarge: has no offering of 1 or 3 years");
        assertThat(book().committed("p5.48xlarge", REGION, Commitment.ONE_YEAR, NOW))
                .isEmpty();
    }

    @Test
    void pagesThatDoNotEndAreAFailure() {
        server.replace(
                "DescribeSavingsPlansOfferingRates",
                _ -> Optional.of(Answer.ok("{\"nextToken\":\"again\",\"searchResults\":[]}")));

        assertThat(refresh()).singleElement().asString().contains("the pages of savings plans do not end");
    }

    @Test
    void aZoneWithoutAnIdIsNamed() {
        replaceIn("DescribeAvailabilityZones", body -> body.replace("us-east-1b", "us-east-1f"));

        assertThat(refresh()).hasSize(2).allMatch(text -> text.contains("has no zone id"));
        assertThat(spot("use1-az6")).hasSize(2);
    }

    private List<String> refresh() {
        AwsScope scope = AwsScope.of(List.of(), Set.of(REGION), types);
        return new PriceRefresher(store, () -> now).refresh(aws.sources(scope)).failures();
    }

    private PriceBook book() {
        RefreshedPrices prices = RefreshedPrices.read(store);
        assertThat(prices.damages()).isEmpty();
        return prices.book();
    }

    private List<String> spot(String zone) {
        Interval time = Interval.of(NOW.minus(Duration.ofDays(100)), NOW.plus(Duration.ofDays(100)));
        return book().spot("g5.xlarge", REGION, zone, time).stream()
                .map(price -> "%s..%s %s"
                        .formatted(
                                price.time().start(),
                                price.time().end().orElseThrow(),
                                price.perHour().usd()))
                .toList();
    }

    private void everyOther(String action, Answer answer) {
        AtomicInteger calls = new AtomicInteger();
        server.replace(action, _ -> calls.getAndIncrement() % 2 == 0 ? Optional.of(answer) : Optional.empty());
    }

    private void replaceIn(String action, Function<String, String> change) {
        server.replace(action, call -> Optional.of(Answer.ok(change.apply(ReplayServer.recorded(call)))));
    }

    private static String error(String code) {
        return "<Response><Errors><Error><Code>%s</Code><Message>You are not authorized</Message></Error></Errors><RequestID>1</RequestID></Response>"
                .formatted(code);
    }

    private static String field(Call call, String name) {
        return ReplayServer.field(call.body(), name);
    }
}
