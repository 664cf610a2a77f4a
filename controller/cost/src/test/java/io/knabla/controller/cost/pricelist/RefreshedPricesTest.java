package io.knabla.controller.cost.pricelist;

import static io.knabla.controller.cost.pricelist.Spots.day;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.usage.Interval;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefreshedPricesTest {
    private static final Instant AT = Instant.parse("2026-10-03T00:00:00Z");
    private static final ObjectKey FILE = new ObjectKey("prices/aws-ec2/us-east-1.jsonl");

    private final MemoryObjectStore store = new MemoryObjectStore();

    @Test
    void filesOfFormat1AreRead() throws IOException {
        store.write(FILE, Content.of(format1()));

        RefreshedPrices prices = RefreshedPrices.read(store);

        assertThat(prices.damages()).isEmpty();
        PriceBook book = prices.book();
        assertThat(book.onDemand("g5.xlarge", "us-east-1", AT).orElseThrow().usd())
                .isEqualByComparingTo("1.006");
        assertThat(book.spot("g5.xlarge", "us-east-1", "use1-az1", Interval.of(AT, AT.plusSeconds(1))))
                .singleElement()
                .satisfies(price -> assertThat(price.perHour().usd()).isEqualByComparingTo("0.4023"));
        assertThat(book.committed("g5.xlarge", "us-east-1", Commitment.THREE_YEARS, AT)
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("0.45");
        assertThat(book.lambda("us-east-1", Architecture.ARM64, AT)
                        .orElseThrow()
                        .tiers())
                .hasSize(2);
        assertThat(book.fargate("us-east-1", Architecture.X86_64, AT)
                        .orElseThrow()
                        .onDemand()
                        .perGbHour()
                        .usd())
                .isEqualByComparingTo("0.004445");
    }

    @Test
    void everyLineIsWrittenAsItWasRead() throws IOException {
        List<String> lines =
                new String(format1(), StandardCharsets.UTF_8).lines().toList();

        for (String line : lines.subList(1, lines.size())) {
            PriceRow row = PriceLine.read(line);
            assertThat(PriceLine.read(PriceLine.write(row))).isEqualTo(row);
        }
    }

    @Test
    void aDamagedLineIsNamedAndTheOthersAreRead() throws IOException {
        String text = new String(format1(), StandardCharsets.UTF_8);
        store.write(
                FILE,
                Content.of(text.replace("0.402300", "-1")
                        .replace("THREE_YEARS", "FOUR")
                        .getBytes()));

        RefreshedPrices prices = RefreshedPrices.read(store);

        assertThat(prices.damages())
                .satisfiesExactly(
                        spot -> assertThat(spot)
                                .startsWith(FILE + ", line 3: is no price")
                                .contains("not negative"),
                        committed -> assertThat(committed).startsWith(FILE + ", line 4: is no price"));
        assertThat(prices.book().onDemand("g5.xlarge", "us-east-1", AT)).isPresent();
    }

    @Test
    void aFileThatIsCutOffOrTooNewOrTooLargeIsNamed() throws IOException {
        byte[] whole = format1();
        store.write(FILE, Content.of(Arrays.copyOf(whole, 600)));
        store.write(new ObjectKey("prices/new/r.jsonl"), Content.of("{\"format\":2,\"version\":1}\n".getBytes()));
        store.write(new ObjectKey("prices/large/r.jsonl"), Content.of(new byte[(int) PriceFiles.MAX_BYTES + 1]));
        store.write(new ObjectKey("prices/empty/r.jsonl"), Content.of(new byte[0]));

        assertThat(RefreshedPrices.read(store).damages())
                .satisfiesExactlyInAnyOrder(
                        cut -> assertThat(cut).startsWith(FILE + ", line 4: is no price"),
                        newer -> assertThat(newer)
                                .contains("prices/new/r.jsonl: has format 2")
                                .contains("update"),
                        large -> assertThat(large).contains("prices/large/r.jsonl: has 33554433 bytes"),
                        empty -> assertThat(empty).contains("prices/empty/r.jsonl, line 1: is no header"));
    }

    /** Of three months of spot prices in two regions the limit allows one file. */
    @Test
    void listPricesAreReadBeforeHistoriesAndTheLatestMonthFirst() throws IOException {
        store.write(FILE, Content.of(format1()));
        List<ObjectKey> months = List.of(
                new ObjectKey("prices/aws-spot/us-west-2/2026-11.jsonl"),
                new ObjectKey("prices/aws-spot/eu-west-1/2026-12.jsonl"),
                new ObjectKey("prices/aws-spot/us-west-2/2026-10.jsonl"));
        for (ObjectKey month : months) {
            store.write(month, Content.of(format1()));
        }

        RefreshedPrices prices = RefreshedPrices.read(store, 2L * format1().length);
        assertThat(prices.book().onDemand("g5.xlarge", "us-east-1", AT)).isPresent();
        assertThat(prices.damages())
                .satisfiesExactly(
                        second -> assertThat(second).startsWith(months.get(0) + ": is not read"),
                        third -> assertThat(third).startsWith(months.get(2) + ": is not read"));
    }

    /** Of two months the later one is too large, the earlier one is not. */
    @Test
    void aFileThatIsNotReadLeavesItsRoomToOthers() throws IOException {
        byte[] whole = format1();
        store.write(new ObjectKey("prices/aws-spot/us-west-2/2026-12.jsonl"), Content.of(new byte[3 * whole.length]));
        store.write(new ObjectKey("prices/aws-spot/us-west-2/2026-11.jsonl"), Content.of(whole));

        RefreshedPrices prices = RefreshedPrices.read(store, 2L * whole.length);
        assertThat(prices.book().onDemand("g5.xlarge", "us-east-1", AT)).isPresent();
        assertThat(prices.damages()).hasSize(1);
    }

    @Test
    void savingsPlansPriceOnlyWhatIsNotReserved() throws IOException {
        PriceRefresher refresher = new PriceRefresher(store, () -> day(0));
        refresher.refresh(List.of(
                Spots.source(
                        "aws-savings-plans",
                        List.of(Spots.committed("a.large", "0.3"), Spots.committed("b.large", "0.4"))),
                Spots.source("aws-ec2", List.of(Spots.committed("a.large", "0.5")))));

        PriceBook book = RefreshedPrices.read(store).book();
        assertThat(book.committed("a.large", "us-east-1", Commitment.ONE_YEAR, day(1))
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("0.5");
        assertThat(book.committed("b.large", "us-east-1", Commitment.ONE_YEAR, day(1))
                        .orElseThrow()
                        .usd())
                .isEqualByComparingTo("0.4");
    }

    private static byte[] format1() throws IOException {
        try (InputStream bytes = RefreshedPricesTest.class.getResourceAsStream("format-1.jsonl")) {
            return bytes.readAllBytes();
        }
    }
}
