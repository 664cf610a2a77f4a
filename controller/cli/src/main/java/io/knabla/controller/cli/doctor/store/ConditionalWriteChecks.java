package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.Checkup.Check;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.util.List;

/** Checks conditional writes, on which the consistency of the catalog and the training states depends. */
final class ConditionalWriteChecks {
    static final String NEEDED =
            "Knabla needs a server that supports If-None-Match: * and If-Match on PutObject, also for concurrent"
                    + " writes, as Amazon S3 does; do not use this server for the catalog";

    private final ScratchPrefix scratch;
    private final WriteRaces races;

    ConditionalWriteChecks(ScratchPrefix scratch) {
        this.scratch = scratch;
        this.races = new WriteRaces(scratch);
    }

    List<Check> checks() {
        return List.of(
                new Check("if absent", () -> guarded(this::createsOnlyIfAbsent)),
                new Check("if unchanged", () -> guarded(this::replacesOnlyIfMatch)),
                new Check("race to create", () -> guarded(races::toCreate)),
                new Check("race to replace", () -> guarded(races::toReplace)));
    }

    /** A check that may throw. */
    interface Probe {
        Answer ask() throws IOException, InterruptedException;
    }

    static Answer guarded(Probe question) {
        try {
            return question.ask();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Answer.bad("stopped", NEEDED);
        } catch (IOException | RuntimeException failed) {
            return Answer.bad("fails: " + failed.getMessage(), NEEDED);
        }
    }

    private Answer createsOnlyIfAbsent() throws IOException {
        ObjectKey key = scratch.key("if-absent");
        if (!scratch.create(key, "first")) {
            return Answer.bad("If-None-Match: * is refused although there is no object", NEEDED);
        }
        if (scratch.create(key, "second") || !holds(key, "first")) {
            return Answer.bad("If-None-Match: * overwrites an object", NEEDED);
        }
        return Answer.good("creates an object, refuses to overwrite one");
    }

    private Answer replacesOnlyIfMatch() throws IOException {
        ObjectKey key = scratch.key("if-unchanged");
        if (scratch.replace(scratch.key("nothing"), scratch.write(key, "first"), "new")) {
            return Answer.bad("If-Match writes although there is no object", NEEDED);
        }
        String old = scratch.store().stat(key).orElseThrow().etag();
        if (!scratch.replace(key, old, "second") || !holds(key, "second")) {
            return Answer.bad("If-Match refuses the current etag", NEEDED);
        }
        if (scratch.replace(key, old, "third") || !holds(key, "second")) {
            return Answer.bad("If-Match overwrites although the etag is out of date", NEEDED);
        }
        return Answer.good("overwrites with the current etag, refuses with another");
    }

    private boolean holds(ObjectKey key, String text) {
        return scratch.read(key).filter(text::equals).isPresent();
    }
}
