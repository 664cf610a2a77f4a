package io.knabla.controller.price;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferencePricesTest {
    /** Long after the bundled prices were read. */
    private static final Instant AT = Instant.parse("2031-05-01T00:00:00Z");

    private static final RowBook BUNDLED = BundledPrices.book();
    private static final PriceBook BOOK = new RowBook(ReferencePrices.rows(BUNDLED, 8));

    @Test
    void aLaptopCostsWhatItsVcpusCostElsewhere() {
        Price price = BOOK.onDemand("local", "", AT).orElseThrow();

        assertThat(price.usd()).isEqualByComparingTo("0.4032");
        assertThat(price.provenance().quality()).isEqualTo(Quality.ASSUMED);
        assertThat(price.provenance().source())
                .startsWith("8 vCPUs of m7i.large in us-east-1; declare the machine's own price under prices:");
    }

    @Test
    void whatTheSourcesHaveIsMarked() {
        BigDecimal onDemand = BOOK.onDemand("local", "", AT).orElseThrow().usd();
        List<Price> prices = List.of(
                BOOK.spot("local", "", "local-a", Interval.of(AT, AT.plusSeconds(1)))
                        .getFirst()
                        .perHour(),
                BOOK.committed("local", "", Commitment.ONE_YEAR, AT).orElseThrow());

        assertThat(prices)
                .allSatisfy(price -> assertThat(price.provenance().quality()).isEqualTo(Quality.ASSUMED))
                .allSatisfy(price -> assertThat(price.usd()).isPositive().isLessThan(onDemand));
        LambdaRates lambda = BOOK.lambda("", Architecture.X86_64, AT).orElseThrow();
        assertThat(lambda.perRequest().provenance().quality()).isEqualTo(Quality.ASSUMED);
        assertThat(lambda.perRequest().usd())
                .isEqualTo(BUNDLED.lambda("us-east-1", Architecture.X86_64, BundledPrices.NEWEST)
                        .orElseThrow()
                        .perRequest()
                        .usd());
        assertThat(BOOK.fargate("", Architecture.ARM64, AT)).isPresent();
        // No bundled source has it.
        assertThat(BOOK.committed("local", "", Commitment.THREE_YEARS, AT)).isEmpty();
    }

    @Test
    void noOtherMachineHasOne() {
        assertThat(BOOK.onDemand("box", "", AT)).isEmpty();
        assertThat(BOOK.onDemand("", "", AT)).isEmpty();
        assertThat(BOOK.lambda("eu-central-1", Architecture.X86_64, AT)).isEmpty();
    }
}
