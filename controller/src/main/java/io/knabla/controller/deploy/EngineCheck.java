package io.knabla.controller.deploy;

import io.knabla.controller.deploy.CheckProcess.Ended;
import io.knabla.controller.deploy.ReplicaProgram.Mode;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Lets the engine load and run a new unit once: a model that crashes or hangs it is refused here and
 * never reaches a replica. What has passed is remembered in the store and not tried again.
 */
@Singleton
final class EngineCheck {
    /** How it went. */
    sealed interface Checked {
        /** @param warning what did not go well and may yet be fine */
        record Works(Optional<String> warning) implements Checked {}

        record Refused(String sentence) implements Checked {}

        /** There is nothing to try it with. */
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
        return replica.run(Mode.check, unit)
                .map(ended -> judged(unit, ended))
                .orElseGet(
                        () ->
                                new Checked.NotTried(
                                        "the model was not tried: there is no replica.args in KNABLA_REPLICA_HOME; start with ./knabla, which sets it"));
    }

    private Checked judged(Digest unit, Ended ended) {
        if (ended instanceof Ended.Passed(var warning, var gradientCheck, _)) {
            if (warning.isEmpty()) {
                checks.passed(unit, gradientCheck);
            }
            return new Checked.Works(warning);
        }
        return new Checked.Refused(replica.trouble(ended).orElseThrow());
    }
}
