package io.knabla.runtime.generation.grammar.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.generation.grammar.schema.NumberExpressions.Interval;
import java.math.BigDecimal;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Expressions of numbers match those within their bounds. */
class NumberExpressionsTest {
    @Test
    void integersWithinBoundsMatch() {
        var random = new Random(1);
        for (int i = 0; i < 300; i++) {
            int low = random.nextInt(1500) - 750;
            int high = low + random.nextInt(800);
            Pattern pattern = Pattern.compile(NumberExpressions.integers(low, high));
            for (int number = -900; number < 1700; number++) {
                assertThat(pattern.matcher(Integer.toString(number)).find())
                        .as("%d in %d to %d", number, low, high)
                        .isEqualTo(number >= low && number <= high);
            }
        }
    }

    @Test
    void largestIntegersMatch() {
        Pattern pattern = Pattern.compile(NumberExpressions.integers(-NumberExpressions.MOST, NumberExpressions.MOST));
        assertThat(pattern.matcher("999999999999999").find()).isTrue();
        assertThat(pattern.matcher("-999999999999999").find()).isTrue();
        assertThat(pattern.matcher("1000000000000000").find()).isFalse();
    }

    private static boolean isWithin(BigDecimal number, Interval within) {
        int above = number.compareTo(BigDecimal.valueOf(within.low()));
        int below = number.compareTo(BigDecimal.valueOf(within.high()));
        return (within.aboveLow() ? above > 0 : above >= 0) && (within.belowHigh() ? below < 0 : below <= 0);
    }

    @Test
    void numbersThatMatchAreWithinBounds() {
        var random = new Random(2);
        for (int i = 0; i < 500; i++) {
            int low = random.nextInt(9) - 6;
            var within = new Interval(low, low + 1 + random.nextInt(6), random.nextBoolean(), random.nextBoolean());
            Pattern pattern = Pattern.compile(NumberExpressions.numbers(within));
            for (int quarters = -40; quarters < 60; quarters++) {
                BigDecimal number =
                        new BigDecimal(quarters).divide(new BigDecimal(4)).stripTrailingZeros();
                assertThat(pattern.matcher(number.toPlainString()).find())
                        .as("%s in %s", number, within)
                        .isEqualTo(isWithin(number, within));
            }
        }
    }
}
