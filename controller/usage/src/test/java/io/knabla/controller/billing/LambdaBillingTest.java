package io.knabla.controller.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.LambdaRates;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LambdaBillingTest {
    /** Prices of us-east-1, x86: 6 billion GB-seconds, then 9 billion, then without bound. */
    private static final LambdaRates RATES = new LambdaRates(
            List.of(
                    new LambdaRates.Tier(new BigDecimal("6000000000"), TestBook.usd("0.0000166667")),
                    new LambdaRates.Tier(new BigDecimal("15000000000"), TestBook.usd("0.000015")),
                    new LambdaRates.Tier(null, TestBook.usd("0.000013334"))),
            TestBook.usd("0.0000002"),
            1_000_000,
            new BigDecimal("400000"));

    private static LambdaUse use(long requests, String gbSeconds) {
        return new LambdaUse(requests, new BigDecimal(gbSeconds));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 128", // the least
        "1, 1, 1769", // CPUs decide
        "0.5, 1, 885", // 884.5, rounded up
        "1, 2147483648, 2048", // memory decides
        "1, 2147483649, 2049", // one byte more
        "0.25, 10737418240, 10240", // the most
    })
    void memoryIsSizedForTheCpusAndTheMemory(String vcpus, long bytes, int mb) {
        assertThat(LambdaBilling.memoryMb(new Resources(new BigDecimal(vcpus), bytes, 0)))
                .hasValue(mb);
    }

    @Test
    void moreThanTheMostIsNotPossible() {
        assertThat(LambdaBilling.memoryMb(new Resources(new BigDecimal("5.8"), 0, 0)))
                .isEmpty();
        assertThat(LambdaBilling.memoryMb(new Resources(BigDecimal.ONE, 10_737_418_241L, 0)))
                .isEmpty();
    }

    @Test
    void aDurationIsRoundedUpToAMillisecond() {
        assertThat(LambdaBilling.paidMillis(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(LambdaBilling.paidMillis(Duration.ofNanos(2_000_001))).isEqualTo(3);
        assertThat(LambdaBilling.paidMillis(Duration.ofMillis(2))).isEqualTo(2);
        // 3 requests of 100 ms in all: 34 ms each
        assertThat(LambdaBilling.paidMillis(3, 100)).isEqualTo(102);
    }

    @Test
    void theFreeAllowanceIsFree() {
        LambdaBilling.Bill bill = LambdaBilling.bill(use(1_000_000, "400000"), LambdaUse.NONE, RATES);
        assertThat(bill.requests()).isEqualByComparingTo("0");
        assertThat(bill.duration()).isEqualByComparingTo("0");
    }

    @Test
    void whatIsBeyondTheAllowanceIsPaid() {
        // 2,000,000 requests x 0.0000002; 100,000 GB-seconds x 0.0000166667
        LambdaBilling.Bill bill = LambdaBilling.bill(use(3_000_000, "500000"), LambdaUse.NONE, RATES);
        assertThat(bill.requests()).isEqualByComparingTo("0.40");
        assertThat(bill.duration()).isEqualByComparingTo("1.66667");
    }

    @Test
    void eachTierHasItsPrice() {
        // 5,999,600,000 x 0.0000166667 = 99,993.53332; 9 billion x 0.000015 = 135,000; 1 billion x 0.000013334 = 13,334
        LambdaBilling.Bill bill = LambdaBilling.bill(use(0, "16000000000"), LambdaUse.NONE, RATES);
        assertThat(bill.duration()).isEqualByComparingTo("248327.53332");
    }

    @Test
    void partsOfAMonthSumToTheMonthIfEachKnowsWhatCameBefore() {
        LambdaUse first = use(900_000, "5000000000");
        LambdaUse second = use(300_000, "2000000000");
        LambdaBilling.Bill one = LambdaBilling.bill(first, LambdaUse.NONE, RATES);
        LambdaBilling.Bill two = LambdaBilling.bill(second, first, RATES);
        LambdaBilling.Bill both = LambdaBilling.bill(first.plus(second), LambdaUse.NONE, RATES);
        assertThat(one.requests().add(two.requests())).isEqualByComparingTo(both.requests());
        assertThat(one.duration().add(two.duration())).isEqualByComparingTo(both.duration());
        // A part that forgets the month's beginning has the allowance twice.
        assertThat(LambdaBilling.bill(second, LambdaUse.NONE, RATES).duration())
                .isNotEqualByComparingTo(two.duration());
    }
}
