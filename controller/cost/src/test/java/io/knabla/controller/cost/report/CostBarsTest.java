package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.scenario.Scenario;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class CostBarsTest {
    @Test
    void theLargestCostHasTheLongestBar() {
        // 0.765 is the largest: 0.18 / 0.765 x 20 = 4.7, 0.075 / 0.765 x 20 = 1.96
        CostBars bars = CostBars.of(Fleet.table(Dimension.FUNCTION, Fleet.ROWS), 20);
        assertThat(bars.rows())
                .extracting(row -> row.group() + " " + row.bar())
                .containsExactly("shop/rank 5", "lab/embed 2", "(idle) 20");
        assertThat(bars.total().bar()).isZero();
    }

    @Test
    void aSmallCostHasABarAndNoneHasNot() {
        CostBars bars = CostBars.of(Fleet.table(Dimension.HOUR, Fleet.ROWS), 1);
        assertThat(bars.rows()).extracting(CostBars.Row::bar).containsExactly(1, 1, 1, 0);
    }

    @Test
    void cellsAreTextsForPeople() {
        CostBars bars = CostBars.of(Fleet.table(Dimension.FUNCTION, Fleet.ROWS), 20);
        assertThat(bars.rows().get(1))
                .isEqualTo(new CostBars.Row("lab/embed", 2, "2.00", "100", "0.075", "0.00", "0.18", "58.3%", "0.75"));
        assertThat(bars.rows().get(2).perThousandRequests()).isEqualTo("-");
        assertThat(bars.total())
                .extracting(CostBars.Row::cost, CostBars.Row::idle)
                .containsExactly("1.02", "0.855");
    }

    @Test
    void missingPricesAreSaid() {
        CostBars bars = CostBars.of(Fleet.table(Dimension.FUNCTION, Fleet.WITHOUT_PRICE), 20);
        assertThat(bars.rows())
                .filteredOn(row -> row.group().equals("lab/odd"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.cost()).isEqualTo("no price");
                    assertThat(row.bar()).isZero();
                    assertThat(row.idle()).isEqualTo("-");
                    assertThat(row.saved()).isEqualTo("-");
                });
        assertThat(bars.total().cost()).isEqualTo("1.02*");
        CostTable alone = Fleet.table(Dimension.FUNCTION, ZoneOffset.UTC, Fleet.ROWS, Scenario.AS_IT_RAN);
        assertThat(CostBars.of(alone, 20).total().onDemand()).isEqualTo("-");
    }

    @Test
    void aBarNeedsRoom() {
        assertThatThrownBy(() -> CostBars.of(Fleet.table(Dimension.FUNCTION, Fleet.ROWS), 0))
                .hasMessageContaining("at least one character");
    }
}
