package io.knabla.controller.knative.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.preflight.Check.Grade;
import io.knabla.controller.knative.settings.Feature;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the checks of a cluster's Knative release and settings. */
class PreflightTest {
    @Test
    void gradesCompleteClusterGood() {
        assertThat(Preflight.of(knative("1.22.0", allOn(), Map.of(), Map.of())))
                .allMatch(check -> check.grade() == Grade.Good && check.cure().isEmpty())
                .hasSize(4 + Feature.values().length)
                .extracting(Check::found)
                .startsWith("1.22.0");
    }

    @Test
    void reportsOnlyMissingKnative() {
        assertThat(Preflight.of(new Installation("", Map.of()))).singleElement().satisfies(check -> {
            assertThat(check.grade()).isEqualTo(Grade.Bad);
            assertThat(check.cure()).contains("install Knative Serving 1.21");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "1.22.0, Good",
        "1.23.1, Good",
        "v1.21.2, Good",
        "knative-v1.22.0, Good",
        "1.21, Good",
        "1.20.9, Bad",
        "1.15.0, Bad",
        "0.26.0, Bad",
        "2.0.0, Good",
        "devel, Poor",
        "'', Poor",
        "20260101-abcdef, Poor"
    })
    void gradesRelease(String version, Grade grade) {
        Installation knative = knative(version, allOn(), Map.of(), Map.of());

        assertThat(Preflight.of(knative).getFirst().grade()).isEqualTo(grade);
        assertThat(Preflight.tooOld(version).isPresent()).isEqualTo(grade == Grade.Bad);
    }

    @Test
    void explainsUnsupportedRelease() {
        assertThat(Preflight.tooOld("1.15.0"))
                .hasValue(
                        "1.15.0, whose scale bounds cannot change without a restart of pods; update Knative Serving to 1.21 or newer");
    }

    @Test
    void mentionsUntestedRelease() {
        assertThat(Preflight.of(knative("1.23.0", allOn(), Map.of(), Map.of()))
                        .getFirst()
                        .found())
                .isEqualTo("1.23.0; Knabla's tests run on 1.22");
    }

    @ParameterizedTest
    @EnumSource(Feature.class)
    void namesCommandForDisabledFeature(Feature off) {
        Map<String, String> features = new HashMap<>(allOn());
        features.put(off.key(), "disabled");

        List<Check> checks = Preflight.of(knative("1.22.0", features, Map.of(), Map.of()));

        assertThat(checks.stream().filter(check -> check.grade() != Grade.Good))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.name()).isEqualTo(off.title());
                    assertThat(check.found()).contains(off.key(), "disabled", off.use());
                    assertThat(check.cure())
                            .startsWith("kubectl patch configmap config-features")
                            .contains("{\"data\":{\"" + off.key() + "\":\"enabled\"}}");
                    assertThat(check.grade()).isEqualTo(off.isOptional() ? Grade.Poor : Grade.Bad);
                });
    }

    @Test
    void reportsFeaturesDisabledByDefault() {
        List<Check> checks = Preflight.of(knative("1.22.0", Map.of(), Map.of(), Map.of()));

        assertThat(checks.stream().filter(check -> check.found().contains("not set (disabled)")))
                .allMatch(check -> check.grade() != Grade.Good)
                .extracting(Check::name)
                .containsExactly("node affinity", "tolerations", "topology spread", "priority class");
        assertThat(checks.stream().filter(check -> check.found().contains("not set (enabled)")))
                .allMatch(check -> check.grade() == Grade.Good)
                .extracting(Check::name)
                .containsExactly("emptyDir");
    }

    @Test
    void showsLimitingSettings() {
        List<Check> checks = Preflight.of(knative(
                "1.22.0",
                allOn(),
                Map.of(
                        "revision-ephemeral-storage-limit", "750M",
                        "max-revision-timeout-seconds", "3600"),
                Map.of(
                        "enable-scale-to-zero", "False",
                        "max-scale-limit", "5")));

        assertThat(checks.stream().filter(check -> check.grade() == Grade.Poor))
                .extracting(Check::name)
                .containsExactly("scale to zero", "replicas", "local disk");
        assertThat(checks)
                .anyMatch(c -> c.cure().contains("\"enable-scale-to-zero\":\"true\""))
                .anyMatch(c -> c.found().contains("above 5"))
                .anyMatch(c -> c.found().contains("may keep 750M"))
                .anyMatch(c -> c.found().contains("up to 3600 s"));
    }

    private static Map<String, String> allOn() {
        Map<String, String> features = new HashMap<>();
        for (Feature feature : Feature.values()) {
            features.put(feature.key(), "enabled");
        }
        return features;
    }

    private static Installation knative(
            String version,
            Map<String, String> features,
            Map<String, String> defaults,
            Map<String, String> autoscaler) {
        return new Installation(
                version,
                Map.of(
                        "config-features", features,
                        "config-defaults", defaults,
                        "config-autoscaler", autoscaler));
    }
}
