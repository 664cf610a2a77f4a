package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.home.Home;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.Provenance;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlatformPricesTest {
    private static final Instant NOW = Instant.parse("2026-10-10T00:00:00Z");
    private static final String REFRESHED = """
            {"format":1,"version":1}
            {"kind":"OnDemand","instanceType":"m7i.large","region":"us-east-1","time":{"start":"2026-10-01T00:00:00Z","end":null},"perHour":{"usd":9,"provenance":{"quality":"HISTORY","source":"a test","retrieved":"2026-10-05T00:00:00Z"}}}
            """;

    @TempDir
    Path folder;

    private final ObjectStore store = new MemoryObjectStore(Clock.systemUTC());

    private PlatformPrices books(String config) throws IOException {
        Home home = new Home(folder);
        Files.writeString(home.config(), config);
        return new PlatformPrices(home, store, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private void refreshed(String text) throws IOException {
        store.write(
                new ObjectKey("prices/ec2-on-demand/us-east-1.jsonl"),
                Content.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static BigDecimal price(PriceBook book) {
        return book.onDemand("m7i.large", "us-east-1", NOW).orElseThrow().usd();
    }

    @Test
    void declaredComeBeforeRefreshedBeforeBundled() throws IOException {
        String declared = "prices: [{offer: OnDemand, instanceType: m7i.large, perHour: 7}]";
        var ofScenario = DeclaredPrice.always(new DeclaredPrice.Instance("m7i.large", "*", BigDecimal.ONE));

        assertThat(price(books("").known(List.of()).book())).isEqualByComparingTo("0.1008");
        refreshed(REFRESHED);
        assertThat(price(books("").known(List.of()).book())).isEqualByComparingTo("9");
        assertThat(price(books(declared).known(List.of()).book())).isEqualByComparingTo("7");
        assertThat(price(books(declared).known(List.of(ofScenario)).book())).isEqualByComparingTo("1");
    }

    @Test
    void aLaptopHasAnAssumedPriceInReportsAndNoneForDecisions() throws IOException {
        PlatformPrices prices = books("");
        Price assumed =
                prices.known(List.of()).book().onDemand("local", "", NOW).orElseThrow();

        assertThat(assumed.provenance().quality()).isEqualTo(Provenance.Quality.ASSUMED);
        assertThat(prices.book().onDemand("local", "", NOW)).isEmpty();
        assertThat(prices.rows()).anyMatch(row -> row.provenance().quality() == Provenance.Quality.ASSUMED);
        String declared = "prices: [{offer: OwnMachine, instanceType: local, region: '*', purchasePrice: 876, years: 1,"
                + " watts: 0, perKilowattHour: 0}]";
        assertThat(books(declared).known(List.of()).book().onDemand("local", "", NOW))
                .map(Price::usd)
                .hasValueSatisfying(usd -> assertThat(usd).isEqualByComparingTo("0.1"));
    }

    @Test
    void damagedFilesAreNamed() throws IOException {
        refreshed("{");

        PlatformPrices.Known known = books("").known(List.of());

        assertThat(known.damages()).singleElement().asString().contains("prices/ec2-on-demand/us-east-1.jsonl");
        assertThat(price(known.book())).isEqualByComparingTo("0.1008");
    }
}
