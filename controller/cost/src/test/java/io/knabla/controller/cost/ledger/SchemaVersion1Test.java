package io.knabla.controller.cost.ledger;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SEVEN;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.replica;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger that version 1 wrote, kept as files: a merged hour, and a segment with a late row for it and newer rows. */
class SchemaVersion1Test {
    private static final Usage EXPECTED = new Usage(
            List.of(
                    ended("a", FIVE, SIX, 2),
                    ended("b", FIVE, SEVEN, 1),
                    replica("r", FIVE, 9, 3),
                    replica("s", SIX, 1, 0),
                    requests("r", FIVE, 4, 1),
                    requests("s", SIX, 5, 0)),
            List.of());

    @TempDir
    Path temp;

    private final TestClock clock = new TestClock(SEVEN);
    private final ObjectStore store = new MemoryObjectStore(clock);

    @BeforeEach
    void copyTheFiles() throws Exception {
        Path folder = Path.of(getClass().getResource("v1").toURI());
        try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                copy(folder, file);
            }
        }
    }

    private void copy(Path folder, Path file) throws IOException {
        String key = folder.relativize(file).toString().replace('\\', '/');
        store.write(new ObjectKey(key), Content.of(file));
    }

    @Test
    void isRead() {
        assertThat(new LedgerParts(store, clock, temp).read()).isEqualTo(EXPECTED);
    }

    @Test
    void isMergedWithNewRows() {
        LedgerParts parts = new LedgerParts(store, clock, temp);
        assertThat(parts.compact().hoursMerged()).isEqualTo(2);
        assertThat(parts.compact().segmentsDeleted()).isOne();
        assertThat(parts.read()).isEqualTo(EXPECTED);
    }
}
