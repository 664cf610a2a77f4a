package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.Lineage.WriteOutcome;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Checks that the outcome of an unanswered write is never reported wrong, whatever other writers do before and after
 * it.
 */
class LineageHistoriesTest {
    enum Event {
        CREATE,
        REPLACE,
        OVERWRITE,
        DELETE
    }

    /** Simulates the versions of one object in S3. */
    private static final class History {
        private Optional<Lineage> now = Optional.empty();
        private long ids = 1;

        private String next() {
            return Lineage.id(ids++ << 16);
        }

        void apply(Event deed) {
            now = switch (deed) {
                case CREATE -> now.or(() -> Optional.of(Lineage.creation(next())));
                case REPLACE -> now.map(old -> old.successor(next()));
                case OVERWRITE -> Optional.of(Lineage.unconditional(next()));
                case DELETE -> Optional.empty();
            };
        }
    }

    @Property(tries = 5_000)
    void neverReportsAWrongOutcome(
            @ForAll("deeds") List<Event> before,
            @ForAll("deeds") List<Event> between,
            @ForAll("deeds") List<Event> after) {
        History history = new History();
        before.forEach(history::apply);
        Optional<Lineage> base = history.now;
        Lineage mine = base.map(old -> old.successor(history.next())).orElseGet(() -> Lineage.creation(history.next()));
        between.forEach(history::apply);
        boolean happened =
                base.isPresent() ? history.now.map(Lineage::id).equals(base.map(Lineage::id)) : history.now.isEmpty();
        if (happened) {
            history.now = Optional.of(mine);
        }
        after.forEach(history::apply);

        WriteOutcome fate = Lineage.outcome(mine, history.now, false);

        switch (fate) {
            case WON -> assertThat(happened).isTrue();
            // A creation counts as lost if the object was deleted and created again by another writer.
            case LOST -> assertThat(happened && !after.contains(Event.DELETE)).isFalse();
            case PENDING -> assertThat(happened && history.now.isPresent()).isFalse();
            case UNKNOWN -> {}
        }
        if (after.isEmpty() && happened) {
            assertThat(fate).isEqualTo(WriteOutcome.WON);
        }
    }

    @Provide
    Arbitrary<List<Event>> deeds() {
        return Arbitraries.oneOf(
                Arbitraries.of(Event.class).list().ofMaxSize(6),
                Arbitraries.of(Event.CREATE, Event.REPLACE).list().ofMaxSize(Lineage.LONGEST + 20));
    }
}
