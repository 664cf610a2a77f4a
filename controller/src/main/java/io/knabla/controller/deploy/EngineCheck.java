package io.knabla.controller.deploy;

import io.knabla.controller.deploy.BatchingRule.Batching;
import io.knabla.controller.deploy.EngineVerdicts.Check;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.platform.engine.RowsVerdict;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Loads and runs a new unit once in the engine, and refuses a model that crashes or hangs it, or batching of rows that
 * depend on each other. The store remembers units that passed; they are not checked again.
 */
@Singleton
final class EngineCheck {
    /** Result of the check. */
    sealed interface CheckResult {
        /** @param warnings about problems that real inputs may not have, and about what could not be checked */
        record Works(List<String> warnings) implements CheckResult {}

        record Refused(Fault fault) implements CheckResult {}

        /** The check could not run. */
        record NotTried(String why) implements CheckResult {}
    }

    private final ReplicaProgram replica;
    private final EngineVerdicts checks;

    EngineCheck(ReplicaProgram replica, EngineVerdicts checks) {
        this.replica = replica;
        this.checks = checks;
    }

    /** @param spec whose replicas do at least what the check does */
    CheckResult check(Digest unit, FunctionSpec spec) {
        CheckResult onCpu = checkOnCpu(unit, spec);
        return switch (spec.chosenPool()) {
            case cpu, auto -> onCpu;
            case gpu -> onCpu instanceof CheckResult.Works works ? checkOnGpu(unit, spec, works) : onCpu;
        };
    }

    /** Each time, since it depends on this machine as much as on the unit. */
    private CheckResult checkOnGpu(Digest unit, FunctionSpec spec, CheckResult.Works onCpu) {
        Optional<EngineResult> tried = replica.checkOn(
                Pool.gpu, unit, spec.resources().memoryBytes(), spec.batching().maxSize());
        return tried.map(ended -> judgedOnGpu(ended, onCpu)).orElse(onCpu);
    }

    private CheckResult judgedOnGpu(EngineResult ended, CheckResult.Works onCpu) {
        return switch (ended) {
            case EngineResult.Passed(var warning, var _, var _, var _) ->
                new CheckResult.Works(Stream.concat(onCpu.warnings().stream(), warning.stream())
                        .distinct()
                        .toList());
            case EngineResult.NotRun(var why) -> new CheckResult.NotTried(why);
            case EngineResult.Measured _,
                    EngineResult.MeasuredGpu _,
                    EngineResult.Ranges _,
                    EngineResult.Refused _,
                    EngineResult.Crashed _,
                    EngineResult.TooSlow _,
                    EngineResult.TooLarge _,
                    EngineResult.Unavailable _ ->
                new CheckResult.Refused(new Fault(
                        "spec.resources.gpu",
                        replica.failureMessage(Mode.check, ended).orElse("the engine answered something else")));
        };
    }

    private CheckResult checkOnCpu(Digest unit, FunctionSpec spec) {
        Optional<Check> before = checks.of(unit).filter(known -> known.answers(BatchingRule.joins(spec)));
        if (before.isPresent()) {
            return judged(spec, Optional.ofNullable(before.get().rows()), Optional.empty());
        }
        EngineResult ended = replica.check(
                unit, spec.resources().memoryBytes(), spec.batching().maxSize());
        return toCheckResult(unit, spec, ended);
    }

    private CheckResult toCheckResult(Digest unit, FunctionSpec spec, EngineResult ended) {
        if (ended instanceof EngineResult.Passed(var warning, var gradientCheck, var found, var _)) {
            Optional<RowsVerdict> rows =
                    BatchingRule.joins(spec) ? Optional.of(found.orElse(RowsVerdict.UNKNOWN)) : Optional.empty();
            checks.record(unit, warning, gradientCheck, rows);
            return judged(spec, rows, warning);
        }
        String trouble = replica.failureMessage(Mode.check, ended).orElseThrow();
        return ended instanceof EngineResult.NotRun
                ? new CheckResult.NotTried(trouble)
                : new CheckResult.Refused(new Fault("spec.model", trouble));
    }

    /** @param rows empty without batching, or for a unit whose check is older than the batching */
    private static CheckResult judged(FunctionSpec spec, Optional<RowsVerdict> rows, Optional<String> warning) {
        if (!BatchingRule.joins(spec)) {
            return new CheckResult.Works(warning.stream().toList());
        }
        return switch (BatchingRule.of(spec, rows.orElse(RowsVerdict.UNKNOWN))) {
            case Batching.Refused(var fault) -> new CheckResult.Refused(fault);
            case Batching.Allowed(var more) ->
                new CheckResult.Works(
                        Stream.concat(warning.stream(), more.stream()).toList());
        };
    }
}
