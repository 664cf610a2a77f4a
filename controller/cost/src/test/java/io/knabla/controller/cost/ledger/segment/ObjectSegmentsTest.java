package io.knabla.controller.cost.ledger.segment;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.TestClock;
import io.knabla.storage.Content;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectSegmentsTest {
    private final TestClock clock = new TestClock(FIVE);
    private final ObjectStore store = new MemoryObjectStore(clock);

    private static void append(Segments segments, String id) {
        new Ledger(segments).append(List.of(ended(id, FIVE, SIX, 0)));
    }

    @Test
    void everyFlushIsOneObject() {
        ObjectSegments segments = new ObjectSegments(store, "w", clock);
        append(segments, "a");
        append(segments, "b");
        assertThat(segments.list().names())
                .containsExactly(new SegmentName(FIVE, "w", 0), new SegmentName(FIVE, "w", 1));
        assertThat(store.read(new ObjectKey("usage/wal/2026112305-w-00000001"))).isPresent();
        assertThat(segments.ended()).isEmpty();
        clock.set(SIX);
        assertThat(segments.ended()).hasSize(2);
    }

    @Test
    void aTakenNameIsNotOverwritten() {
        append(new ObjectSegments(store, "w", clock), "a");
        ObjectSegments second = new ObjectSegments(store, "w", clock);
        append(second, "b");
        assertThat(second.list().names()).hasSize(2);
        assertThat(second.list().names().stream()
                        .map(name -> second.read(name).orElseThrow())
                        .flatMap(contents -> contents.rows().stream())
                        .map(row -> row.id()))
                .containsExactly("a", "b");
    }

    @Test
    void aFailedFlushIsToldAndTheNextOneWorks() {
        ObjectStore failing = new ForwardingStore(store) {
            private int calls;

            @Override
            public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
                if (calls++ == 0) {
                    throw new StorageException(StorageException.Kind.UNAVAILABLE, "out of order.", "Wait.");
                }
                return super.createOnce(key, content);
            }
        };
        ObjectSegments segments = new ObjectSegments(failing, "w", clock);
        assertThatThrownBy(() -> append(segments, "a"))
                .isInstanceOf(StorageException.class)
                .hasMessage("out of order. Wait.");
        append(segments, "b");
        assertThat(segments.list().names()).hasSize(1);
    }

    @Test
    void aForeignObjectIsTold() throws Exception {
        store.write(new ObjectKey("usage/wal/notes/x"), Content.of(new byte[1]));
        assertThat(new ObjectSegments(store, "w", clock).list().damages())
                .extracting(LedgerDamage::name)
                .containsExactly("usage/wal/notes/x");
    }

    @Test
    void namesAreReadAsTheyAreWrittenAndNothingElseIsAName() {
        SegmentName name = new SegmentName(FIVE.plusSeconds(5), "c3f1", 123_456_789);
        assertThat(SegmentName.parse(name.toString())).contains(name);
        assertThat(SegmentName.parse("2026112305-c3f1-00000007")).isPresent();
        assertThat(SegmentName.parse("2026112325-c3f1-00000007")).isEmpty();
        assertThat(SegmentName.parse("2026112305-C3F1-00000007")).isEmpty();
        assertThatThrownBy(() -> new SegmentName(FIVE, "a/b", 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
