package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsers of single texts at their bounds. */
class ReadersTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "250ms, PT0.25S",
        "30s, PT30S",
        "10m, PT10M",
        "1h30m, PT1H30M",
        "1h2m3s4ms, PT1H2M3.004S",
        "90m, PT1H30M",
        "1500ms, PT1.5S",
        "999999h, PT999999H"
    })
    void durations(String text, Duration duration) {
        assertThat(Durations.parse(text)).contains(duration);
        assertThat(Durations.parse(Durations.format(duration))).contains(duration);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT0.25S, 250ms", "PT1M, 1m", "PT1H30M, 1h30m", "PT36H, 36h", "PT1H2M3.004S, 1h2m3s4ms"})
    void durationsAreWrittenShort(Duration duration, String text) {
        assertThat(Durations.format(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "1d", "-1s", "1.5s", "1s 2ms", "1m1h", "1S", "1000000h"})
    void refusesDurations(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 1000, 1", "0.5, 500, 500m", "500m, 500, 500m", "2000m, 2000, 2", "1.25, 1250, 1250m"})
    void cores(String text, long milli, String written) {
        assertThat(Quantities.parseCpu(text)).contains(milli);
        assertThat(Quantities.formatCpu(milli)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource({
        "512, 512, 512",
        "1Ki, 1024, 1Ki",
        "1.5Ki, 1536, 1536",
        "512Mi, 536870912, 512Mi",
        "1024Mi, 1073741824, 1Gi",
        "1Gi, 1073741824, 1Gi",
        "2Ti, 2199023255552, 2Ti",
        "1k, 1000, 1000",
        "1M, 1000000, 1000000",
        "128k, 128000, 125Ki",
        "1G, 1000000000, 1000000000",
        "1T, 1000000000000, 976562500Ki",
        "0, 0, 0"
    })
    void bytes(String text, long bytes, String written) {
        assertThat(Quantities.parseBytes(text)).contains(bytes);
        assertThat(Quantities.formatBytes(bytes)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Mi", "1 Mi", "-1", "1e3", "1mi", "1K", "0.3", "1.", ".5", "1m", "9999999Ti"})
    void refusesBytes(String text) {
        assertThat(Quantities.parseBytes(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1Mi", "0.5m", "0.0001", "m"})
    void refusesCores(String text) {
        assertThat(Quantities.parseCpu(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "abc, abc, 0",
        "abc, ABC, 0",
        "abc, ab, 1",
        "ab, abc, 1",
        "abc, axc, 1",
        "abc, acb, 1",
        "bac, abc, 1",
        "xyabz, xybaz, 1",
        "modle, model, 1",
        "kitten, sitting, 3",
        "ab, xy, 2",
        "abcd, badc, 2"
    })
    void distance(String left, String right, int edits) {
        assertThat(SpellingHints.distance(left, right)).isEqualTo(edits);
        assertThat(SpellingHints.distance(right, left)).isEqualTo(edits);
    }

    @Test
    void suggestsANameForALikelyTypingError() {
        assertThat(SpellingHints.closest("timeot", List.of("type", "timeout"))).contains("timeout");
        // A third of the letters may be wrong, and one always.
        assertThat(SpellingHints.closest("abcxyz", List.of("abcdxz"))).contains("abcdxz");
        assertThat(SpellingHints.closest("abcxyz", List.of("abcdef"))).isEmpty();
        assertThat(SpellingHints.closest("a", List.of("b"))).contains("b");
        assertThat(SpellingHints.closest("a", List.of())).isEmpty();
        assertThat(SpellingHints.hint("zzz", List.of("abc"))).isEmpty();
    }

    @Test
    void suggestsTheNearestNamesFirst() {
        List<String> known = List.of("digits", "digest", "add-sub", "text-similarity");
        assertThat(SpellingHints.closest("digist", known, 3)).containsExactly("digest", "digits");
        assertThat(SpellingHints.closest("addsub", known, 3)).containsExactly("add-sub");
        assertThat(SpellingHints.closest("zzz", known, 3)).isEmpty();
        List<String> many = List.of("abcxyz", "abcdxy", "bbcdef", "abcdeg", "abcdefg");
        assertThat(SpellingHints.closest("abcdef", many, 3)).containsExactly("abcdefg", "abcdeg", "bbcdef");
    }

    @Test
    void suggestsNothingForALongText() {
        assertThat(SpellingHints.closest("a".repeat(64), List.of("a".repeat(63))))
                .isPresent();
        assertThat(SpellingHints.closest("a".repeat(65), List.of("a".repeat(64))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "spec.scaling,       spec.scaling,       true",
        "spec.scaling.min,   spec.scaling,       true",
        "spec.traffic[0].x,  spec.traffic,       true",
        "spec.scaling,       spec.scaling.min,   true",
        "spec,               spec.scaling.min,   true",
        "spec.scaling.max,   spec.scaling.min,   false",
        "spec.scalings,      spec.scaling,       false",
        "spec.scal,          spec.scaling,       false",
    })
    void aFaultAppliesToPathsBelowAndAboveIt(String fault, String asked, boolean faulty) {
        var findings = new Findings();
        assertThat(findings.isFaulty(asked)).isFalse();

        findings.fault(fault, "wrong");

        assertThat(findings.isFaulty(asked)).isEqualTo(faulty);
    }

    @Test
    void shortensAndCleansUntrustedText() {
        assertThat(Tree.clipped("x".repeat(60))).isEqualTo("x".repeat(60));
        assertThat(Tree.clipped("x".repeat(61))).isEqualTo("x".repeat(57) + "...");
        assertThat(Tree.quoted("a\u0000b\u200fc")).isEqualTo("'a?b?c'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|a|a",
                "spec|a-b_9|spec.a-b_9",
                "spec|a b|spec['a b']",
                "spec|''|spec['']",
                "spec|gr\u00fcn|spec['gr\u00fcn']",
                "spec|a.b|spec['a.b']"
            })
    void pathsStayReadable(String path, String key, String joined) {
        assertThat(MappingReader.join(path, key)).isEqualTo(joined);
    }

    @Test
    void aLongKeyIsClippedInItsPath() {
        assertThat(MappingReader.join("spec", "k".repeat(60))).isEqualTo("spec." + "k".repeat(60));
        assertThat(MappingReader.join("spec", "k".repeat(61))).isEqualTo("spec['" + "k".repeat(57) + "...']");
    }
}
