package io.knabla.controller.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class Ec2BillingTest {
    private static final Instant START = TestNodes.MIDNIGHT;
    private static final Period DAY = Period.past(START, START.plus(Duration.ofDays(1)));

    private static NodeInterval lived(Duration life, CapacityType capacity, NodeEnd end) {
        return TestNodes.node("n", capacity, Interval.of(START, START.plus(life)), end);
    }

    private static NodeBill bill(NodeInterval node) {
        return Ec2Billing.asBought(node, DAY, new TestBook());
    }

    @Test
    void aSecondCostsAThirtySixHundredthOfAnHour() {
        // 100 s x 0.36/3600
        assertThat(bill(lived(Duration.ofSeconds(100), CapacityType.ON_DEMAND, NodeEnd.RELEASED))
                        .total())
                .isEqualByComparingTo("0.01");
    }

    @Test
    void aNodeOfTenSecondsPaysSixty() {
        NodeBill bill = bill(lived(Duration.ofSeconds(10), CapacityType.ON_DEMAND, NodeEnd.RELEASED));
        assertThat(bill.total()).isEqualByComparingTo("0.006");
        assertThat(bill.topUp().orElseThrow().seconds()).isEqualByComparingTo("50");
    }

    @Test
    void aNodeWithoutAnyTimePaysSixtySecondsAsWell() {
        Instant later = START.plusSeconds(10);
        NodeInterval none = TestNodes.node("n", CapacityType.ON_DEMAND, Interval.of(later, later), NodeEnd.RELEASED);
        assertThat(bill(none).total()).isEqualByComparingTo("0.006");
    }

    @Test
    void aNodeThatEndsBetweenTwoPeriodsPaysTheMinimumOnce() {
        NodeInterval short10 = lived(Duration.ofSeconds(10), CapacityType.ON_DEMAND, NodeEnd.RELEASED);
        Instant end = START.plusSeconds(10);
        assertThat(Ec2Billing.onDemand(short10, Period.past(START, end), new TestBook())
                        .total())
                .isEqualByComparingTo("0.006");
        assertThat(Ec2Billing.onDemand(short10, Period.past(end, DAY.until()), new TestBook())
                        .total())
                .isEqualByComparingTo("0");
    }

    @Test
    void aPartOfASecondIsPaidAsAWholeOne() {
        assertThat(bill(lived(Duration.ofMillis(99_001), CapacityType.ON_DEMAND, NodeEnd.RELEASED))
                        .total())
                .isEqualByComparingTo("0.01");
    }

    @Test
    void spotThatEc2InterruptsInItsFirstHourIsFree() {
        NodeBill bill = bill(lived(Duration.ofSeconds(3_599), CapacityType.SPOT, NodeEnd.INTERRUPTED));
        assertThat(bill.total()).isEqualByComparingTo("0");
        // 3,599 s x 0.12/3600
        assertThat(bill.credit()).isEqualByComparingTo("0.119966666667");
    }

    @Test
    void spotThatEc2InterruptsAfterItsFirstHourIsPaid() {
        assertThat(bill(lived(Duration.ofSeconds(3_600), CapacityType.SPOT, NodeEnd.INTERRUPTED))
                        .total())
                .isEqualByComparingTo("0.12");
    }

    @Test
    void spotThatItsUserEndsInItsFirstHourIsPaid() {
        assertThat(bill(lived(Duration.ofSeconds(1_800), CapacityType.SPOT, NodeEnd.RELEASED))
                        .total())
                .isEqualByComparingTo("0.06");
    }

    @Test
    void aNodeOnDemandIsNeverFree() {
        assertThat(bill(lived(Duration.ofSeconds(1_800), CapacityType.ON_DEMAND, NodeEnd.INTERRUPTED))
                        .total())
                .isEqualByComparingTo("0.18");
    }

    @Test
    void spotPaysEachPartAtThePriceOfItsTime() {
        NodeBill bill = bill(lived(Duration.ofHours(3), CapacityType.SPOT, NodeEnd.RELEASED));
        // 2 h x 0.12 + 1 h x 0.18
        assertThat(bill.total()).isEqualByComparingTo("0.42");
        assertThat(bill.charges()).hasSize(2);
    }

    /** 0.72 from 10:00 to 12:00 in place of 0.36. */
    private static PriceBook declaredUntilNoon() {
        Instant ten = START.plus(Duration.ofHours(10));
        return new RowBook(List.of(
                onDemand(new Interval(START, Optional.empty()), "0.36"),
                onDemand(Interval.of(ten, ten.plus(Duration.ofHours(2))), "0.72")));
    }

    private static PriceRow onDemand(Interval time, String perHour) {
        return new PriceRow.OnDemand(TestBook.TYPE, "us-test-1", time, TestBook.usd(perHour));
    }

    @Test
    void aPriceOnDemandHoldsFromItsOwnHourToItsOwnHour() {
        // 09:00 to 15:00: 1 h x 0.36 + 2 h x 0.72 + 3 h x 0.36 = 0.36 + 1.44 + 1.08
        Instant nine = START.plus(Duration.ofHours(9));
        NodeInterval node = TestNodes.node(
                "n", CapacityType.ON_DEMAND, Interval.of(nine, nine.plus(Duration.ofHours(6))), NodeEnd.RELEASED);
        assertThat(Ec2Billing.onDemand(node, DAY, declaredUntilNoon()).total()).isEqualByComparingTo("2.88");
    }

    @Test
    void aNodeThatTookNoTimePaysThePriceThatBeganWithIt() {
        // 60 s x 0.72/3600
        Instant ten = START.plus(Duration.ofHours(10));
        NodeInterval none = TestNodes.node("n", CapacityType.ON_DEMAND, Interval.of(ten, ten), NodeEnd.RELEASED);
        assertThat(Ec2Billing.onDemand(none, DAY, declaredUntilNoon()).total()).isEqualByComparingTo("0.012");
    }

    @Test
    void aRunningNodeIsPaidUntilTheUsageWasReadAndNotIntoTheFuture() {
        NodeInterval running =
                TestNodes.node("n", CapacityType.ON_DEMAND, new Interval(START, Optional.empty()), NodeEnd.RUNNING);
        Period today = new Period(START, START.plus(Duration.ofDays(1)), START.plus(Duration.ofHours(2)));
        assertThat(Ec2Billing.onDemand(running, today, new TestBook()).total()).isEqualByComparingTo("0.72");
    }

    @Test
    void theMinimumIsPaidInThePeriodOfTheEnd() {
        NodeInterval short10 = lived(Duration.ofSeconds(10), CapacityType.ON_DEMAND, NodeEnd.RELEASED);
        Instant middle = START.plusSeconds(4);
        // 4 s, then 6 s and the 50 s up to the minimum
        assertThat(Ec2Billing.onDemand(short10, Period.past(START, middle), new TestBook())
                        .total())
                .isEqualByComparingTo("0.0004");
        assertThat(Ec2Billing.onDemand(short10, Period.past(middle, DAY.until()), new TestBook())
                        .total())
                .isEqualByComparingTo("0.0056");
    }
}
