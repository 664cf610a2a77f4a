package io.knabla.controller.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.Scale;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DollarsTest {
    @Test
    void whatRoundingLeavesGoesToTheLargestRemaindersFirst() {
        // 1 / 3 = 0.333333333333 each, one unit left
        assertThat(Dollars.split(BigDecimal.ONE, List.of(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE)))
                .containsExactly(
                        new BigDecimal("0.333333333334"),
                        new BigDecimal("0.333333333333"),
                        new BigDecimal("0.333333333333"));
    }

    @Test
    void anAmountIsNotSplitAmongNobody() {
        assertThatThrownBy(() -> Dollars.split(BigDecimal.ONE, List.of(BigDecimal.ZERO)))
                .hasMessageContaining("1 USD cannot be split");
        assertThat(Dollars.split(BigDecimal.ZERO, List.of(BigDecimal.ZERO))).containsExactly(Dollars.ZERO);
    }

    @Property
    void partsSumToTheWholeExactly(
            @ForAll @BigRange(min = "0", max = "1000000") @Scale(12) BigDecimal total,
            @ForAll @Size(min = 1, max = 50)
                    List<@BigRange(min = "0.000000001", max = "1000000000") @Scale(9) BigDecimal> weights) {
        List<BigDecimal> parts = Dollars.split(total, weights);
        assertThat(Dollars.sum(parts)).isEqualByComparingTo(total);
        assertThat(parts).allMatch(part -> part.signum() >= 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0123,       0.0123",
        "0.012345,     0.01234",
        "0.0000012345, 0.000001234",
        "0,            0.00",
        "8,            8.00",
        "0.5,          0.50",
        "12.3456,      12.35",
        "123456.789,   123456.79"
    })
    void peopleReadFourDigitsOfSmallAmounts(BigDecimal usd, String text) {
        assertThat(Dollars.text(usd)).isEqualTo(text);
    }
}
