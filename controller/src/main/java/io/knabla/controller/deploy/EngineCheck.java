package io.knabla.controller.deploy;

import io.knabla.controller.cluster.engine.Ended;
import io.knabla.controller.cluster.engine.EngineRunner.Mode;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Loads and runs a new unit once in the engine, and refuses a model that crashes or hangs it. The store remembers units
 * that passed; they are not checked again.
 */
@Singleton
final class EngineCheck {
    /** Result of the check. */
    sealed interface Checked {
        /** @param warning about a problem that real inputs may not have */
        record Works(Optional<String> warning) implements Checked {}

        record Refused(String sentence) implements Checked {}

        /** The check could not run. */
        record NotTried(String why) implements Checked {}
    }

    private final ReplicaProgram replica;
    private final Checks checks;

    EngineCheck(ReplicaProgram replica, Checks checks) {
        this.replica = replica;
        this.checks = checks;
    }

    Checked check(Digest unit) {
        if (checks.of(unit).isPresent()) {
            return new Checked.Works(Optional.empty());
        }
        return judged(unit, replica.run(Mode.check, unit));
    }

    private Checked judged(Digest unit, Ended ended) {
        if (ended instanceof Ended.Passed(var warning, var gradientCheck, var _)) {
            if (warning.isEmpty()) {
                checks.passed(unit, gradientCheck);
            }
            return new Checked.Works(warning);
        }
        String trouble = replica.trouble(ended).orElseThrow();
        return ended instanceof Ended.NotRun ? new Checked.NotTried(trouble) : new Checked.Refused(trouble);
    }
}
