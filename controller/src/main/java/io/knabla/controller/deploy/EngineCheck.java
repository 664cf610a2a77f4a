package io.knabla.controller.deploy;

import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.platform.engine.ReplicaProgram;
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
    sealed interface CheckResult {
        /** @param warning about a problem that real inputs may not have */
        record Works(Optional<String> warning) implements CheckResult {}

        record Refused(String sentence) implements CheckResult {}

        /** The check could not run. */
        record NotTried(String why) implements CheckResult {}
    }

    private final ReplicaProgram replica;
    private final EngineVerdicts checks;

    EngineCheck(ReplicaProgram replica, EngineVerdicts checks) {
        this.replica = replica;
        this.checks = checks;
    }

    /** @param declared memory of a replica, which does at least what the check does */
    CheckResult check(Digest unit, Optional<Long> declared) {
        if (checks.of(unit).isPresent()) {
            return new CheckResult.Works(Optional.empty());
        }
        return toCheckResult(unit, replica.run(Mode.check, unit, declared));
    }

    private CheckResult toCheckResult(Digest unit, EngineResult ended) {
        if (ended instanceof EngineResult.Passed(var warning, var gradientCheck, var _)) {
            if (warning.isEmpty()) {
                checks.recordPass(unit, gradientCheck);
            }
            return new CheckResult.Works(warning);
        }
        String trouble = replica.failureMessage(Mode.check, ended).orElseThrow();
        return ended instanceof EngineResult.NotRun
                ? new CheckResult.NotTried(trouble)
                : new CheckResult.Refused(trouble);
    }
}
