package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.Checkup.Check;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Checks read-after-write consistency: reads and lists see every acknowledged write. */
final class ConsistencyCheck {
    private static final int ROUNDS = 20;
    private static final Duration ENOUGH = Duration.ofSeconds(2);
    private static final String NEEDED =
            "Knabla needs reads and lists that see every finished write, as Amazon S3's do; use no cache or"
                    + " asynchronous replica in front of this store";

    private final ScratchPrefix scratch;

    ConsistencyCheck(ScratchPrefix scratch) {
        this.scratch = scratch;
    }

    Check check() {
        return new Check("freshness", () -> ConditionalWriteChecks.guarded(this::ask));
    }

    private Answer ask() throws IOException {
        long began = System.nanoTime();
        int round = 0;
        while (round < ROUNDS && (round == 0 || System.nanoTime() - began < ENOUGH.toNanos())) {
            round++;
            Optional<String> stale = round(scratch.key("fresh-" + round));
            if (stale.isPresent()) {
                return Answer.bad(stale.get(), NEEDED);
            }
        }
        return Answer.good("reads and lists see every write, %d times".formatted(round));
    }

    private Optional<String> round(ObjectKey key) throws IOException {
        scratch.write(key, "first");
        if (!holds(key, "first")) {
            return Optional.of("a read after a write does not see it");
        }
        if (!scratch.list().contains(key)) {
            return Optional.of("a list after a write does not see it");
        }
        scratch.write(key, "second");
        if (!holds(key, "second")) {
            return Optional.of("a read after an overwrite sees the old content");
        }
        scratch.store().delete(key);
        return scratch.read(key).isPresent() || scratch.list().contains(key)
                ? Optional.of("a read or a list after a delete still sees the object")
                : Optional.empty();
    }

    private boolean holds(ObjectKey key, String text) {
        return scratch.read(key).filter(text::equals).isPresent();
    }
}
