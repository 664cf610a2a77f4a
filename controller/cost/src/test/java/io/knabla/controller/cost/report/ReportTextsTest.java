package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.scenario.Assumption;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReportTextsTest {
    @Test
    void numbersAreForPeople() {
        assertThat(ReportTexts.of(
                        new Assumption(Assumption.Kind.REQUESTS_EQUALLY_LONG, "", new BigDecimal("1.2345678E+7"))))
                .isEqualTo("Requests of one replica took equally long (12,345,678 requests)");
        assertThat(ReportTexts.of(
                        new Assumption(Assumption.Kind.INTERRUPTION_SHARE_STATED, "", new BigDecimal("0.0525"))))
                .isEqualTo("Interruptions add 5.2 %, as stated");
        assertThat(ReportTexts.of(
                        new Assumption(Assumption.Kind.COMMITTED_PEAK, "m7i.large us-east-1", BigDecimal.ONE)))
                .isEqualTo("1 instance committed, as many as ran at once at the peak");
    }

    @Test
    void noTwoAssumptionsReadTheSame() {
        assertThat(Arrays.stream(Assumption.Kind.values())
                        .map(kind -> ReportTexts.of(new Assumption(kind, "", BigDecimal.TWO))))
                .doesNotHaveDuplicates();
    }
}
