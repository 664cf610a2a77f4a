package io.knabla.controller.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitmentBillingTest {
    @Test
    void allOfTheTimeIsOwedByAllInstances() {
        Interval day = Interval.of(TestNodes.MIDNIGHT, TestNodes.MIDNIGHT.plus(Duration.ofDays(1)));
        // 24 h x 5 x 0.234
        assertThat(CommitmentBilling.unused(TestBook.usd("0.234"), 5, day, BigDecimal.ZERO))
                .isEqualByComparingTo("28.08");
        // 20 h were used: 100 h x 0.234
        assertThat(CommitmentBilling.unused(TestBook.usd("0.234"), 5, day, new BigDecimal("72000")))
                .isEqualByComparingTo("23.40");
    }

    @Test
    void aCommitmentPaysAboveTheRatioOfThePrices() {
        assertThat(CommitmentBilling.breakEven(TestBook.usd("0.234"), TestBook.usd("0.36"))
                        .orElseThrow())
                .isEqualByComparingTo("0.65");
        assertThat(CommitmentBilling.breakEven(TestBook.usd("0.234"), TestBook.usd("0")))
                .isEmpty();
    }
}
