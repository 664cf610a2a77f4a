package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpotTimeoutTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "OnDemand, 300s, -",
                "Mixed, 90s, -",
                "Mixed, 91s, all replicas run on demand",
                "Spot, 90s, -",
                "Spot, 91s, longer ones may be lost"
            })
    void timeoutsBeyondTheNoticeAreWarnedOf(String capacity, String timeout, String warning) {
        Optional<String> told = SpotTimeout.warning(spec("Inference", capacity, timeout));

        if (warning == null) {
            assertThat(told).isEmpty();
        } else {
            assertThat(told.orElseThrow()).contains("1m31s", "1m30s", warning);
        }
    }

    @Test
    void aTrainingStepResumes() {
        assertThat(SpotTimeout.fits(spec("TrainingStep", "Spot", "300s"))).isTrue();
    }

    private static FunctionSpec spec(String type, String capacity, String timeout) {
        String training = type.equals("TrainingStep")
                ? "gradient: {loss: {output: loss}, optimizer: {type: SGD, learningRate: 0.1}},"
                : "";
        String text =
                "{apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: a}, spec: {model: m, type: %s, %s placement: {capacity: %s}, timeout: %s}}"
                        .formatted(type, training, capacity, timeout);
        return switch (FunctionYaml.parse(text)) {
            case Parsed.Valid(FunctionResource resource) -> resource.spec();
            case Parsed.Invalid invalid -> throw new AssertionError(invalid);
        };
    }
}
