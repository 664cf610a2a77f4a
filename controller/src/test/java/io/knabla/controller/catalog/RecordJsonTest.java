package io.knabla.controller.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Round trip and damage reports of the catalog document. */
class RecordJsonTest {
    private static final FunctionId ID = new FunctionId("ns", "digits");
    private static final FunctionRecord RECORD =
            record(List.of(new TrafficTarget(1, 90), new TrafficTarget(4, 10)), 1, 4);
    private static final String WRITTEN = new String(RecordJson.write(RECORD), StandardCharsets.UTF_8);

    /** As versions of Knabla without checksums wrote it, and as it is after an edit by hand. */
    private static final String JSON = WRITTEN.replaceAll(",\\s*\"checksum\" : \"[0-9a-f]{64}\"", "");

    private static FunctionRecord record(List<TrafficTarget> traffic, int... numbers) {
        return new FunctionRecord(
                ID, IntStream.of(numbers).mapToObj(RecordJsonTest::version).toList(), traffic, "e");
    }

    private static Version version(int number) {
        return new Version(
                number,
                FunctionDefaults.inference("m" + number),
                new Digest("sha256:" + "%064x".formatted(number)),
                new Digest("sha256:" + "%064x".formatted(100 + number)),
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number));
    }

    private static Optional<FunctionRecord> read(String json) {
        return RecordJson.read(ID, json.getBytes(StandardCharsets.UTF_8), "e");
    }

    @Test
    void readsWhatItWrote() {
        // Written in this test, not in a shared fixture: a fault in writing must fail it.
        assertThat(RecordJson.read(ID, RecordJson.write(RECORD), "e")).contains(RECORD);
        assertThat(JSON).contains("\"namespace\" : \"ns\"", "\"name\" : \"digits\"");
    }

    @Test
    void keepsThePoolThatWasDecided() {
        Version plain = version(1);
        var decided = new Version(
                1,
                plain.spec().withPool(Pool.gpu),
                plain.unit(),
                plain.model(),
                plain.created(),
                Optional.of(new PoolDecision(Pool.gpu, "it pays from 199 calls a second")));
        var record = new FunctionRecord(ID, List.of(decided), List.of(), "e");

        assertThat(RecordJson.read(ID, RecordJson.write(record), "e")).contains(record);
        assertThat(decided.askedSpec()).isEqualTo(plain.spec());
        assertThat(JSON).doesNotContain("\"chosen\"");
    }

    @Test
    void keepsTheOwner() {
        FunctionRecord owned = RECORD.ownedBy("uid");

        assertThat(RecordJson.read(ID, RecordJson.write(owned), "e")).contains(owned);
        assertThat(JSON).doesNotContain("owner");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.31536", ""})
    void keepsTheForecast(String usdPerDay) {
        var forecast = new LoadForecast(
                Instant.parse("2026-11-01T00:00:00Z"),
                new BigDecimal("0.000277778"),
                new BigDecimal("0.050000000"),
                Optional.of(usdPerDay).filter(usd -> !usd.isEmpty()).map(BigDecimal::new));
        FunctionRecord expected = RECORD.with(forecast).ownedBy("uid").withTraffic(List.of());

        assertThat(RecordJson.read(ID, RecordJson.write(expected), "e"))
                .contains(expected)
                .map(FunctionRecord::forecast)
                .contains(Optional.of(forecast));
    }

    @Test
    void readsATombstoneAsEmpty() {
        byte[] bytes = RecordJson.tombstone(ID);
        assertThat(RecordJson.read(ID, bytes, "e")).isEmpty();
        assertThat(new String(bytes, StandardCharsets.UTF_8)).contains("\"deleted\" : true", "digits");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"schema\" : 1|\"schema\" : 2|it has schema 2, this Knabla reads up to 1",
                "\"schema\" : 1|\"schema\" : \"1\"|it has no schema number",
                "\"schema\" : 1|\"schema\" : 1.5|it has no schema number",
                "\"schema\"|\"x\"|it has no schema number",
                "\"number\" : 4|\"number\" : 1|out of order",
                "\"number\" : 4|\"number\" : 0|out of order",
                "\"number\" : 4|\"number\" : 4.5|'number' is not a whole number",
                "\"number\" : 4|\"number\" : 4.0|'number' is not a whole number",
                "\"number\" : 4|\"number\" : 4000000000|'number' is not a whole number",
                "\"percent\" : 90|\"percent\" : \"90\"|'percent' is not a whole number",
                "\"version\" : 4|\"vers\" : 4|'version' is not a whole number",
                "\"versions\"|\"v\"|it has no versions",
                "2026-01-01T00:00:04Z|yesterday|yesterday",
                "\"unit\"|\"u\"|not a digest",
                "\"timeout\" : \"30s\"|\"timeout\" : \"soon\"|spec.timeout",
                "\"schema\"|schema|it is not JSON"
            })
    void reportsDamage(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> read(JSON.replace(part, instead)))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aDocumentWithoutAChecksumIsRead() {
        assertThat(JSON).doesNotContain("checksum");
        assertThat(read(JSON)).contains(RECORD);
    }

    /** Most of these changes leave valid JSON, and many of them a valid function. */
    @Test
    void aChangeOfAnyByteOfADocumentOrATombstoneIsNoticed() {
        for (byte[] written : List.of(RecordJson.write(RECORD), RecordJson.tombstone(ID))) {
            int member = new String(written, StandardCharsets.UTF_8).indexOf("\"checksum\"");
            for (int at = 0; at < written.length; at++) {
                byte[] bytes = written.clone();
                bytes[at] ^= 1;
                boolean isNameOfTheChecksum = at > member && at <= member + "checksum".length();
                if (!isNameOfTheChecksum) {
                    assertThatThrownBy(() -> RecordJson.read(ID, bytes, "e"))
                            .as("changed at byte %d", at)
                            .isInstanceOf(CatalogException.class);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "x", "null", "[]"})
    void aChecksumThatIsNoneIsNoticed(String instead) {
        String checksum = WRITTEN.replaceAll("(?s).*\"checksum\" : \"([0-9a-f]{64})\".*", "$1");
        assertThatThrownBy(() -> read(WRITTEN.replace(checksum, instead))).isInstanceOf(CatalogException.class);
        assertThatThrownBy(() -> read(WRITTEN.replace('"' + checksum + '"', "null")))
                .isInstanceOf(CatalogException.class);
    }

    @Test
    void rejectsADocumentThatIsNoObject() {
        assertThatThrownBy(() -> read("[]")).hasMessageContaining("it is not a JSON object");
        assertThatThrownBy(() -> read("")).isInstanceOf(CatalogException.class);
    }

    @Test
    void findsVersionsByNumber() {
        assertThat(RECORD.latest().number()).isEqualTo(4);
        assertThat(RECORD.version(1)).contains(version(1));
        assertThat(RECORD.version(2)).isEmpty();
        assertThat(RECORD.pinnedTraffic()).isEqualTo(RECORD.traffic());
        assertThat(record(List.of(), 1, 4).pinnedTraffic()).containsExactly(new TrafficTarget(4, 100));
        assertThat(ID).hasToString("ns/digits");
    }

    @Test
    void latestIsTheNewestReadyVersionUntilItIsPinned() {
        TrafficTarget canary = TrafficTarget.latest(10).tagged("canary");
        FunctionRecord split = record(List.of(new TrafficTarget(1, 90), canary), 1, 4);

        assertThat(split.effectiveTraffic(1))
                .containsExactly(new VersionShare(1, 90), new VersionShare(1, true, 10, Optional.of("canary")));
        assertThat(split.pinnedTraffic())
                .containsExactly(new TrafficTarget(1, 90), new TrafficTarget(4, 10).tagged("canary"));
        assertThat(record(List.of(new TrafficTarget(4, 90), TrafficTarget.latest(10)), 1, 4)
                        .pinnedTraffic())
                .containsExactly(new TrafficTarget(4, 100));
        assertThat(read(new String(RecordJson.write(split), StandardCharsets.UTF_8))
                        .orElseThrow()
                        .traffic())
                .isEqualTo(split.traffic());
    }

    @ParameterizedTest
    @CsvSource({"5, 1 2 3 4 5", "4, 1 3 4 5", "3, 1 4 5", "2, 1 5", "1, 1 5", "6, 1 2 3 4 5"})
    void dropsTheOldestVersionsWithoutTraffic(int limit, String kept) {
        FunctionRecord record = record(List.of(new TrafficTarget(1, 100), new TrafficTarget(5, 0)), 1, 2, 3, 4, 5);
        FunctionRecord bounded = VersionHistory.bounded(record, limit);
        assertThat(String.join(
                        " ",
                        bounded.versions().stream().map(v -> "" + v.number()).toList()))
                .isEqualTo(kept);
        assertThat(bounded.traffic()).isEqualTo(record.traffic());
        assertThat(bounded.etag()).isEqualTo("e");
    }

    @Test
    void keepsTheNewestWithoutTraffic() {
        FunctionRecord record = record(List.of(new TrafficTarget(1, 100)), 1, 2, 3);
        assertThat(VersionHistory.bounded(record, 1).versions()).containsExactly(version(1), version(3));
    }
}
