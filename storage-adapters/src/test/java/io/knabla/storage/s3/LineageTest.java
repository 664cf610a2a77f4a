package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.Lineage.WriteOutcome;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests outcomes of writes by their lineage, and the metadata format. */
class LineageTest {
    /**
     * Lineages are written as letters, newest first; a final dot marks a complete one. The write under test is
     * {@code M}.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # scenario                                   | mine | found | refused | fate
            created, answer lost                         | M.   | M.    | false   | WON
            created by its first try, the second refused | M.   | M.    | true    | WON
            created and replaced since                   | M.   | CBM.  | false   | WON
            another created it                           | M.   | A.    | true    | LOST
            another created it, and one try failed       | M.   | BA.   | false   | LOST
            nothing there, and no answer                 | M.   | -     | false   | PENDING
            deleted since another created it             | M.   | -     | true    | LOST
            overwritten since, no answer                 | M.   | X     | false   | UNKNOWN
            overwritten since, refused                   | M.   | X     | true    | LOST
            replaced, answer lost                        | MBA. | MBA.  | false   | WON
            replaced, and replaced again                 | MBA. | DCMBA | false   | WON
            another replaced it                          | MBA. | CBA.  | true    | LOST
            another replaced it, and one try failed      | MBA. | DCBA. | false   | LOST
            what it was to replace is still there        | MBA. | BA.   | false   | PENDING
            gone, and no answer                          | MBA. | -     | false   | UNKNOWN
            gone, refused                                | MBA. | -     | true    | LOST
            made anew since                              | MBA. | C.    | false   | UNKNOWN
            further on than lineages reach               | MBA. | ZYX   | false   | UNKNOWN
            what others wrote, replaced by another       | MB   | CB    | false   | LOST
            """)
    void determinesTheOutcomeOfAWrite(String scenario, String mine, String found, boolean refused, WriteOutcome fate) {
        Optional<Lineage> there = Optional.ofNullable(found).map(LineageTest::lineage);

        assertThat(Lineage.outcome(lineage(mine), there, refused)).isEqualTo(fate);
    }

    private static Lineage lineage(String letters) {
        String ids = letters.replace(".", "");
        StringBuilder ancestors = new StringBuilder();
        ids.substring(1).chars().forEach(id -> ancestors.append(id((char) id)));
        return new Lineage(id(ids.charAt(0)), ancestors.toString(), letters.endsWith("."));
    }

    private static String id(char letter) {
        return Character.toString(letter).repeat(Lineage.WIDTH);
    }

    @Test
    void keepsTheNewestWithinTheMetadataLimit() {
        Lineage now = Lineage.creation(Lineage.id(0));
        for (int i = 1; i <= Lineage.LONGEST; i++) {
            now = now.successor(id(i));
        }
        assertThat(now.complete()).isTrue();
        assertThat(now.contains(Lineage.id(0))).isTrue();

        now = now.successor(id(Lineage.LONGEST + 1));

        assertThat(now.complete()).isFalse();
        assertThat(now.contains(Lineage.id(0))).isFalse();
        assertThat(now.contains(id(1))).isTrue();
        assertThat(bytes(now.metadata())).isLessThan(1_000);
    }

    private static String id(int number) {
        return Lineage.id((long) number << 32);
    }

    private static int bytes(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
    }

    @Test
    void roundTripsThroughMetadata() {
        for (Lineage one : new Lineage[] {lineage("A"), lineage("A."), lineage("CBA"), lineage("CBA.")}) {
            assertThat(Lineage.of(one.metadata(), "\"e\"")).isEqualTo(one);
            assertThat(one.metadata().values()).noneMatch(String::isEmpty);
        }
    }

    @Test
    void identifiesForeignWritesByEtag() {
        Lineage foreign = Lineage.of(Map.of("made-by", "another tool"), "\"abc\"");

        assertThat(foreign).isEqualTo(Lineage.of(Map.of(), "\"abc\""));
        assertThat(foreign.complete()).isFalse();
        assertThat(foreign.id()).isNotEqualTo(Lineage.of(Map.of(), "\"abd\"").id());
        assertThat(Lineage.of(Map.of("knabla-write", "short"), "\"abc\"")).isEqualTo(foreign);
    }
}
