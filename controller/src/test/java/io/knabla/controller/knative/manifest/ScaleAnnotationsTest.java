package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.manifest.PlacementPlan.Share;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the autoscaling annotations of a revision. */
class ScaleAnnotationsTest {
    private static final CapacitySlot SLOT = PlacementPlanTest.slot("cpu-on-demand");

    @Test
    void writesAllScaleAnnotations() {
        FunctionSpec spec =
                Specs.inference().scaling(2, 9, 4, Duration.ofMinutes(5)).spec();

        assertThat(ScaleAnnotations.of(spec, new Share(SLOT, 100, 2, 9), false).annotations())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "autoscaling.knative.dev/min-scale", "2",
                        "autoscaling.knative.dev/max-scale", "9",
                        "autoscaling.knative.dev/initial-scale", "2",
                        "autoscaling.knative.dev/target-utilization-percentage", "70",
                        "autoscaling.knative.dev/window", "60s",
                        "autoscaling.knative.dev/scale-to-zero-pod-retention-period", "240s"));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 6s, 0s",
        "PT5S, 6s, 0s",
        "PT30S, 30s, 0s",
        "PT1M, 60s, 0s",
        "PT1M1S, 60s, 1s",
        "PT61M, 60s, 3600s",
        "P7D, 60s, 3600s",
        "PT6.9S, 6s, 0s",
    })
    void splitsIdleAfterIntoWindowAndRetention(Duration idleAfter, String window, String retention) {
        assertThat(idle(idleAfter, "policy: Never"))
                .containsEntry("autoscaling.knative.dev/window", window)
                .containsEntry("autoscaling.knative.dev/scale-to-zero-pod-retention-period", retention)
                .containsEntry("autoscaling.knative.dev/initial-scale", "1");
    }

    /** The last pod stays until keep-warm can have decided about it. */
    @ParameterizedTest
    @CsvSource({
        "PT1S,  policy: Adaptive,                     6s,  24s",
        "PT10S, policy: Adaptive,                     10s, 20s",
        "PT30S, policy: Adaptive,                     30s, 0s",
        "PT1M,  policy: Adaptive,                     60s, 0s",
        "PT1S,  'policy: Adaptive, coldStartCost: 0', 6s,  0s",
        "PT1S,  policy: Never,                        6s,  0s"
    })
    void theLastPodOutlivesTheDecision(Duration idleAfter, String keepWarm, String window, String retention) {
        assertThat(idle(idleAfter, keepWarm))
                .containsEntry("autoscaling.knative.dev/window", window)
                .containsEntry("autoscaling.knative.dev/scale-to-zero-pod-retention-period", retention);
    }

    private static Map<String, String> idle(Duration idleAfter, String keepWarm) {
        String yaml = """
                {apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: f},
                 spec: {model: m.onnx, scaling: {max: 5, idleAfter: %dms}, keepWarm: {%s}}}
                """.formatted(idleAfter.toMillis(), keepWarm);
        return switch (FunctionYaml.parse(yaml)) {
            case Parsed.Valid(var resource) ->
                ScaleAnnotations.of(resource.spec(), new Share(SLOT, 100, 0, 5), false)
                        .annotations();
            case Parsed.Invalid(var faults) -> throw new AssertionError(faults);
        };
    }

    @Test
    void appliesWholeScalingToOnlyServingSlot() {
        FunctionSpec spec =
                Specs.inference().scaling(3, 9, 4, Duration.ofMinutes(1)).spec();
        Share base = new Share(SLOT, 22, 2, 2);

        assertThat(ScaleAnnotations.of(spec, base, false).annotations())
                .containsEntry("autoscaling.knative.dev/min-scale", "2")
                .containsEntry("autoscaling.knative.dev/max-scale", "2");
        assertThat(ScaleAnnotations.of(spec, base, true).annotations())
                .containsEntry("autoscaling.knative.dev/min-scale", "3")
                .containsEntry("autoscaling.knative.dev/max-scale", "9");
        assertThat(ScaleAnnotations.of(spec, new Share(SLOT, 50, 5, 9), true).annotations())
                .containsEntry("autoscaling.knative.dev/min-scale", "5");
    }

    @ParameterizedTest
    @CsvSource({"0.001,1", "0.7,70", "0.333333,33.3", "1,100", "0.29,29"})
    void writesUtilizationAsPercentage(double target, String percent) {
        FunctionSpec spec =
                Specs.inference().spec().withScaling(new FunctionSpec.Scaling(0, 5, 4, target, Duration.ofMinutes(1)));

        assertThat(ScaleAnnotations.of(spec, new Share(SLOT, 100, 0, 5), false).annotations())
                .containsEntry("autoscaling.knative.dev/target-utilization-percentage", percent);
    }

    /** Checks the rules of {@code annotation_validation.go} in Knative 1.22. */
    @Property
    void passesKnativesWebhookValidation(
            @ForAll @IntRange(max = 1000) int min,
            @ForAll @IntRange(min = 1, max = 1000) int room,
            @ForAll @LongRange(max = 604_800_000) long idleMillis,
            @ForAll boolean alone) {
        int max = min + room;
        FunctionSpec spec = Specs.inference()
                .scaling(min, max, 4, Duration.ofMillis(idleMillis))
                .spec();

        Map<String, String> annotations =
                ScaleAnnotations.of(spec, new Share(SLOT, 100, min, max), alone).annotations();

        assertThat(number(annotations, "min-scale"))
                .isLessThanOrEqualTo(number(annotations, "max-scale"))
                .isLessThanOrEqualTo(number(annotations, "initial-scale"));
        assertThat(number(annotations, "initial-scale")).isPositive();
        assertThat(number(annotations, "window")).isBetween(6, 3600);
        assertThat(number(annotations, "scale-to-zero-pod-retention-period")).isBetween(0, 3600);
        assertThat(annotations.keySet()).allMatch(key -> key.startsWith(ScaleAnnotations.PREFIX));
    }

    @Test
    void returnsOnlyDifferingAnnotations() {
        ScaleAnnotations bounds = ScaleAnnotations.of(Specs.inference().spec(), new Share(SLOT, 100, 0, 10), false);
        Map<String, String> present = new HashMap<>(bounds.annotations());
        present.put("serving.knative.dev/routes", "f");

        assertThat(bounds.differingFrom(present)).isEmpty();

        present.put("autoscaling.knative.dev/min-scale", "3");
        present.put("autoscaling.knative.dev/initial-scale", "3");
        present.remove("autoscaling.knative.dev/window");
        assertThat(bounds.differingFrom(present))
                .containsOnly(
                        Map.entry("autoscaling.knative.dev/min-scale", "0"),
                        Map.entry("autoscaling.knative.dev/window", "60s"));
    }

    private static int number(Map<String, String> annotations, String key) {
        return Integer.parseInt(annotations.get(ScaleAnnotations.PREFIX + key).replace("s", ""));
    }
}
