package io.knabla.controller.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.FargateRates;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FargateBillingTest {
    private static final FargateRates.Rate RATE =
            new FargateRates.Rate(TestBook.usd("0.04048"), TestBook.usd("0.004445"));

    private static Resources needed(String vcpus, long mib) {
        return new Resources(new BigDecimal(vcpus), mib << 20, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 100, 0.25, 512",
        "0.25, 513, 0.25, 1024",
        "0.25, 1025, 0.25, 2048",
        "0.25, 2049, 0.5, 3072", // more memory than a quarter of a CPU may have
        "0.3, 512, 0.5, 1024",
        "1, 512, 1, 2048",
        "1, 8193, 2, 9216",
        "3, 5000, 4, 8192",
        "4, 30720, 4, 30720",
        "4, 30721, 8, 32768", // steps of 4 GB
        "8, 33000, 8, 36864",
        "9, 1, 16, 32768",
        "16, 40000, 16, 40960", // steps of 8 GB
        "16, 122880, 16, 122880",
    })
    void aTaskHasTheCheapestCombinationThatFits(String vcpus, long mib, String taskVcpus, int taskMib) {
        assertThat(FargateSize.of(needed(vcpus, mib), RATE))
                .contains(new FargateSize(new BigDecimal(taskVcpus), taskMib));
    }

    @Test
    void moreThanTheLargestCombinationIsNotPossible() {
        assertThat(FargateSize.of(needed("16.1", 1), RATE)).isEmpty();
        assertThat(FargateSize.of(needed("1", 122_881), RATE)).isEmpty();
    }

    @Test
    void anHourCostsItsCpusAndItsMemory() {
        // 0.25 x 0.04048 + 0.5 x 0.004445 = 0.01012 + 0.0022225
        assertThat(new FargateSize(new BigDecimal("0.25"), 512).perHour(RATE)).isEqualByComparingTo("0.0123425");
    }

    @ParameterizedTest
    @CsvSource({"5000, 55", "60000, 0", "60001, 0.999", "0, 60"})
    void atLeastAMinuteIsPaidAndWholeSeconds(long lifeMillis, String secondsAfterEnd) {
        Instant start = TestNodes.MIDNIGHT;
        Interval life = Interval.of(start, start.plusMillis(lifeMillis));
        Period day = Period.past(start.minusSeconds(1), start.plus(Duration.ofDays(1)));
        assertThat(FargateBilling.secondsAfterEnd(life, day)).isEqualByComparingTo(secondsAfterEnd);
    }
}
