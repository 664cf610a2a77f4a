package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.Lineage.Fate;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever others do before and after a write that got no answer, its fate is never told wrong. */
class LineageHistoriesTest {
    enum Deed {
        CREATE,
        REPLACE,
        OVERWRITE,
        DELETE
    }

    /** One object in S3, and whether our write became it. */
    private static final class History {
        private Optional<Lineage> now = Optional.empty();
        private long ids = 1;

        private String next() {
            return Lineage.id(ids++ << 16);
        }

        void apply(Deed deed) {
            now = switch (deed) {
                case CREATE -> now.or(() -> Optional.of(Lineage.first(next())));
                case REPLACE -> now.map(old -> old.then(next()));
                case OVERWRITE -> Optional.of(Lineage.anywhere(next()));
                case DELETE -> Optional.empty();
            };
        }
    }

    @Property(tries = 5_000)
    void aFateIsTrueOrNotTold(
            @ForAll("deeds") List<Deed> before,
            @ForAll("deeds") List<Deed> between,
            @ForAll("deeds") List<Deed> after) {
        History history = new History();
        before.forEach(history::apply);
        Optional<Lineage> base = history.now;
        Lineage mine = base.map(old -> old.then(history.next())).orElseGet(() -> Lineage.first(history.next()));
        between.forEach(history::apply);
        boolean happened =
                base.isPresent() ? history.now.map(Lineage::id).equals(base.map(Lineage::id)) : history.now.isEmpty();
        if (happened) {
            history.now = Optional.of(mine);
        }
        after.forEach(history::apply);

        Fate fate = Lineage.fate(mine, history.now, false);

        switch (fate) {
            case WON -> assertThat(happened).isTrue();
            // Made, deleted and made anew by another, a creation is as good as lost.
            case LOST -> assertThat(happened && !after.contains(Deed.DELETE)).isFalse();
            case PENDING -> assertThat(happened && history.now.isPresent()).isFalse();
            case UNKNOWN -> {}
        }
        if (after.isEmpty() && happened) {
            assertThat(fate).isEqualTo(Fate.WON);
        }
    }

    @Provide
    Arbitrary<List<Deed>> deeds() {
        return Arbitraries.oneOf(
                Arbitraries.of(Deed.class).list().ofMaxSize(6),
                Arbitraries.of(Deed.CREATE, Deed.REPLACE).list().ofMaxSize(Lineage.LONGEST + 20));
    }
}
