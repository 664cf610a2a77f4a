package io.knabla.controller.cost.pricelist;

import static io.knabla.controller.cost.pricelist.Spots.day;
import static io.knabla.controller.cost.pricelist.Spots.source;
import static io.knabla.controller.cost.pricelist.Spots.spot;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.usage.Interval;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PriceRefresherTest {
    private static final String NOVEMBER = "prices/aws-spot/us-east-1/2026-11.jsonl";
    private static final String DECEMBER = "prices/aws-spot/us-east-1/2026-12.jsonl";

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final PriceRefresher refresher = new PriceRefresher(store, () -> day(20));

    @Test
    void aHistoryHasAFileForEveryMonth() {
        refresh(spot(0, "0.1", 20), spot(5, "0.2", 20), spot(6, "0.3", 20));

        assertThat(keys()).containsExactly(NOVEMBER, DECEMBER, "prices/refreshed.json");
        assertThat(history()).containsExactly("0..5 0.1", "5..6 0.2", "6..27 0.3");
    }

    @Test
    void answersThatOverlapMakeNoDoublesAndNoGaps() {
        refresh(spot(0, "0.1", 2), spot(1, "0.2", 2));
        refresh(spot(1, "0.2", 4), spot(2, "0.2", 4), spot(3, "0.3", 4));

        assertThat(history()).containsExactly("0..1 0.1", "1..3 0.2", "3..11 0.3");
        assertThat(text(NOVEMBER).lines()).hasSize(4).first().isEqualTo("{\"format\":1,\"version\":2}");
    }

    @Test
    void ofTwoAnswersForOneDayTheLaterCounts() {
        refresh(spot(0, "0.1", 1));
        refresh(spot(0, "0.15", 2));
        refresh(spot(0, "0.1", 1));

        assertThat(history()).containsExactly("0..9 0.15");
    }

    @Test
    void anEqualPriceAfterAGapDoesNotFillIt() {
        refresh(spot(0, "0.1", 1));
        refresh(spot(15, "0.1", 16));

        assertThat(history()).containsExactly("0..8 0.1", "15..23 0.1");
    }

    @Test
    void pricesThatOneAnswerContradictsAreNamedAndLeftOut() {
        PriceRefresher.Refresh result = refresh(spot(0, "0.1", 1), spot(0, "0.2", 1), spot(1, "0.3", 1));

        assertThat(history()).containsExactly("1..8 0.3");
        assertThat(result.failures())
                .singleElement()
                .asString()
                .startsWith("aws-spot in us-east-1: two prices since 2026-11-25T00:00:00Z of ")
                .contains("use1-az1", "0.1", "0.2");
    }

    @Test
    void aSourceThatFailsKeepsItsOldPricesAndTheOthersAreRefreshed() {
        refresh(spot(0, "0.1", 1));
        PriceRefresher.Refresh result = refresher.refresh(List.of(
                source("aws-spot", (_, _) -> {
                    throw new IllegalStateException("EC2 answers 503");
                }),
                source("aws-ec2", List.of(Spots.committed("a.large", "0.3")))));

        assertThat(result.failures()).containsExactly("aws-spot in us-east-1: old prices stay: EC2 answers 503");
        assertThat(result.prices()).isOne();
        assertThat(history()).containsExactly("0..8 0.1");
        assertThat(keys()).contains("prices/aws-ec2/us-east-1.jsonl");
        assertThat(refresher.last()).contains(result);
    }

    @Test
    void manyProblemsAreCounted() {
        List<String> faults = Collections.nCopies(100, "bad");
        assertThat(refresher
                        .refresh(List.of(source("aws-spot", (_, _) -> new ParsedRows(List.of(), faults))))
                        .failures())
                .hasSize(21)
                .last()
                .isEqualTo("aws-spot in us-east-1: 80 more problems");
    }

    @Test
    void aSourceSeesWhatIsStored() {
        refresh(spot(0, "0.1", 1), spot(6, "0.2", 7));
        List<PriceRow> seen = new ArrayList<>();
        refresher.refresh(List.of(source("aws-spot", (stored, _) -> {
            seen.addAll(stored);
            return new ParsedRows(List.of(), List.of());
        })));

        assertThat(seen).containsExactly(spot(0, "0.1", 1), spot(6, "0.2", 7));
    }

    @Test
    void aDamagedLineIsNamedAndRewrittenWithout() throws IOException {
        refresh(spot(0, "0.1", 1));
        store.write(new ObjectKey(NOVEMBER), Content.of((text(NOVEMBER) + "{\"kind\":").getBytes()));

        assertThat(refresh(spot(1, "0.2", 2)).failures())
                .singleElement()
                .asString()
                .contains(NOVEMBER + ", line 3: is no price");
        assertThat(refresh(spot(2, "0.3", 3)).failures()).isEmpty();
        assertThat(history()).containsExactly("0..1 0.1", "1..2 0.2", "2..10 0.3");
    }

    @Test
    void aFileOfANewerVersionIsNotTouched() throws IOException {
        String newer = "{\"format\":2,\"version\":1}\n{}\n";
        store.write(new ObjectKey(NOVEMBER), Content.of(newer.getBytes()));

        assertThat(refresh(spot(0, "0.1", 1)).failures())
                .singleElement()
                .asString()
                .contains("has format 2");
        assertThat(text(NOVEMBER)).isEqualTo(newer);
    }

    /** Any split of one history into overlapping answers, in any order, leaves the same prices. */
    @Test
    void refreshesAtOnceLoseNothing() throws Exception {
        Random random = new Random(7);
        List<PriceRow> history = IntStream.range(0, 30)
                .mapToObj(i -> spot(i, "0." + (1 + random.nextInt(3)), 35))
                .toList();
        int writers = 4;
        CountDownLatch start = new CountDownLatch(writers);
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            List<Future<PriceRefresher.Refresh>> done = IntStream.range(0, writers)
                    .mapToObj(i -> threads.submit(() -> {
                        start.countDown();
                        start.await();
                        return refresh(history.subList(5 * i, 5 * i + 15).toArray(PriceRow[]::new));
                    }))
                    .toList();
            for (Future<PriceRefresher.Refresh> refresh : done) {
                assertThat(refresh.get().failures()).isEmpty();
            }
        }

        List<String> together = history();
        keys().forEach(key -> store.delete(new ObjectKey(key)));
        refresh(history.toArray(PriceRow[]::new));
        assertThat(together).isEqualTo(history()).hasSizeGreaterThan(10);
    }

    private PriceRefresher.Refresh refresh(PriceRow... rows) {
        return refresher.refresh(List.of(source("aws-spot", List.of(rows))));
    }

    /** Prices as the book knows them: first day, last day, US dollars. */
    private List<String> history() {
        RefreshedPrices prices = RefreshedPrices.read(store);
        assertThat(prices.damages()).isEmpty();
        return prices.book().spot("m5.large", "us-east-1", "use1-az1", Interval.of(day(-1), day(100))).stream()
                .map(price -> "%d..%d %s"
                        .formatted(
                                days(price.time().start()),
                                days(price.time().end().orElseThrow()),
                                price.perHour().usd()))
                .toList();
    }

    private static long days(Instant time) {
        return Duration.between(day(0), time).toDays();
    }

    private List<String> keys() {
        try (Stream<ObjectInfo> objects = store.list("prices/")) {
            return objects.map(object -> object.key().path()).toList();
        }
    }

    private String text(String key) {
        return new String(store.read(new ObjectKey(key)).orElseThrow().bytes(), StandardCharsets.UTF_8);
    }
}
