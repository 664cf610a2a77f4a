package io.knabla.storage.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "flag, environment, file, flag",
                "-,    environment, file, environment",
                "-,    -,           file, file",
                "'',   ' ',         file, file",
                "'',   environment, -,    environment",
                "-,    '',          -,    -",
            })
    void strongestSourceWithAValueDecides(String flag, String environment, String file, String expected) {
        var reader = new SettingsReader(List.of(() -> source(flag), () -> source(environment), () -> source(file)));

        assertThat(reader.text("NAME").orElse(null)).isEqualTo(expected);
        assertThat(reader.faults()).isEmpty();
    }

    private static Map<String, String> source(String value) {
        return value == null ? Map.of() : Map.of("NAME", value);
    }

    @Test
    void opensASourceOnlyIfThoseBeforeLackAValue() {
        var reader = new SettingsReader(List.of(() -> Map.of("A", "1"), () -> {
            throw new IllegalStateException("opened");
        }));

        assertThat(reader.text("A")).contains("1");
        assertThatThrownBy(() -> reader.text("B")).hasMessage("opened");
    }

    @Test
    void listsNamesOfAllSources() {
        assertThat(new SettingsReader(List.of(() -> Map.of("A", "1", "B", ""), () -> Map.of("C", "2"))).names())
                .containsExactly("A", "B", "C");
    }

    @Test
    void readsEachType() {
        var reader = SettingsReader.of(Map.of(
                "TEXT",
                " x ",
                "NUMBER",
                " 7\n",
                "FLAG",
                "1",
                "CHOICE",
                "b",
                "DURATION",
                "2m",
                "ADDRESS",
                "http://h:1"));

        assertThat(reader.text("TEXT")).contains(" x ");
        assertThat(reader.stripped("TEXT")).contains("x");
        assertThat(reader.required("TEXT")).isEqualTo(" x ");
        assertThat(reader.number("NUMBER", 1, 0, 7)).isEqualTo(7);
        assertThat(reader.flag("FLAG")).isTrue();
        assertThat(reader.choice("CHOICE", "a", "b")).isEqualTo("b");
        assertThat(reader.duration("DURATION", Duration.ZERO)).isEqualTo(Duration.ofMinutes(2));
        assertThat(reader.address("NONE", "ADDRESS")).contains(URI.create("http://h:1"));
        reader.needs("TEXT", "NUMBER");
        reader.needs("NONE", "NUMBER");
        assertThat(reader.faults()).isEmpty();
    }

    @Test
    void absentSettingsHaveTheirDefaults() {
        var reader = SettingsReader.of(Map.of("BLANK", " "));

        assertThat(reader.text("BLANK")).isEmpty();
        assertThat(reader.number("BLANK", 3, 5, 6)).isEqualTo(3);
        assertThat(reader.flag("BLANK")).isFalse();
        assertThat(reader.choice("BLANK", "a", "b")).isEqualTo("a");
        assertThat(reader.duration("BLANK", Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));
        assertThat(reader.address("BLANK")).isEmpty();
        assertThat(reader.faults()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500", "30s, 30000", "2m, 120000", "999999999ms, 999999999"})
    void readsDurationsWithTheirUnit(String text, long millis) {
        assertThat(SettingsReader.of(Map.of("D", text)).duration("D", Duration.ZERO))
                .isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void collectsAllFaultsInTheOrderOfReading() {
        Map<String, String> wrong = Map.of(
                "LOW",
                "0",
                "HIGH",
                "21",
                "WORD",
                "many",
                "FLAG",
                "yes",
                "CHOICE",
                "both",
                "D",
                "30",
                "A",
                "s3.example.com",
                "ID",
                "x");
        var reader = SettingsReader.of(wrong);

        assertThat(reader.required("NEEDED")).isEmpty();
        assertThat(List.of("LOW", "HIGH", "WORD"))
                .map((Function<String, Integer>) name -> reader.number(name, 6, 1, 20))
                .containsOnly(6);
        assertThat(reader.flag("FLAG")).isFalse();
        assertThat(reader.choice("CHOICE", "auto", "path")).isEqualTo("auto");
        assertThat(reader.duration("D", Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        assertThat(reader.address("A", "WORD")).isEmpty();
        reader.needs("ID", "SECRET");
        reader.report("a sentence");

        assertThat(reader.faults())
                .containsExactly(
                        "NEEDED is not set",
                        "LOW is '0', allowed is a whole number from 1 to 20",
                        "HIGH is '21', allowed is a whole number from 1 to 20",
                        "WORD is 'many', allowed is a whole number from 1 to 20",
                        "FLAG is 'yes', allowed is one of 0, 1",
                        "CHOICE is 'both', allowed is one of auto, path",
                        "D is '30', allowed is a whole number > 0 with its unit: 500ms, 30s, 2m",
                        "A is 's3.example.com', allowed is an address such as https://s3.example.com or http://127.0.0.1:9000",
                        "ID is set and SECRET is not; set both",
                        "a sentence");
        assertThatThrownBy(() -> reader.throwFaults("all are wrong"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("all are wrong: NEEDED is not set; LOW is '0'")
                .hasMessageEndingWith("; a sentence");
    }

    @Test
    void throwsNothingWithoutAFault() {
        SettingsReader.of(Map.of()).throwFaults("none");
    }
}
