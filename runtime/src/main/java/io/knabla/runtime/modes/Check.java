package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.check.GradientCheck;
import io.knabla.runtime.check.GradientCheckResult;
import io.knabla.runtime.check.RowsCheck;
import io.knabla.runtime.check.RowsCheckResult;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.inference.EngineModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Runs the {@code check} mode: runs a unit once and compares its gradients with finite differences of its loss, and
 * with batching also rows alone and together. A model that crashes the engine fails here, at deploy, not in a serving
 * replica.
 */
public final class Check {
    private static final long SEED = 1;

    private Check() {}

    public static ExitCode run(Settings settings) {
        try {
            long start = System.nanoTime();
            LoadedUnit load = LoadedUnit.loadForTrial(settings);
            long loaded = System.nanoTime();
            return load.model() instanceof EngineModel graphs
                    ? run(graphs, settings, loaded - start)
                    : passed(loaded - start, loaded, null, Optional.empty(), Optional.empty());
        } catch (RuntimeException failed) {
            return Failures.report(failed);
        }
    }

    private static ExitCode run(EngineModel graphs, Settings settings, long loadNanos) {
        long loaded = System.nanoTime();
        String warning = warning(graphs);
        if (!settings.engine().device().isCpu()) {
            // Its answers and gradients are judged on the CPU.
            return passed(loadNanos, loaded, warning, Optional.empty(), Optional.empty());
        }
        Optional<GradientCheckResult> verdict = GradientCheck.check(graphs.engine(), graphs.manifest());
        if (verdict.isPresent() && verdict.get() instanceof GradientCheckResult.Differs differs) {
            Events.refused(differs.sentence());
            return ExitCode.REFUSED;
        }
        return passed(loadNanos, loaded, warning, verdict, rows(graphs, settings));
    }

    private static ExitCode passed(
            long loadNanos,
            long loaded,
            String warning,
            Optional<GradientCheckResult> verdict,
            Optional<RowsCheckResult> rows) {
        long runMillis = LoadedUnit.millis(System.nanoTime() - loaded);
        Events.checked(LoadedUnit.millis(loadNanos), runMillis, warning, verdict, rows);
        return ExitCode.DONE;
    }

    /** Empty for a unit whose requests are never joined. */
    private static Optional<RowsCheckResult> rows(EngineModel graphs, Settings settings) {
        GraphManifest manifest = graphs.manifest();
        boolean joins = settings.engine().batchMaxSize() > 1
                && manifest.training().isEmpty()
                && manifest.entries().isEmpty();
        return joins ? Optional.of(RowsCheck.check(graphs.engine(), manifest)) : Optional.empty();
    }

    /**
     * Runs the unit on trial inputs. A failure may be due to these inputs only (index 0 of an empty tensor, one pixel
     * for a kernel of seven), which is a warning. If no input's values or size can matter, the unit is refused.
     *
     * @return null if the run succeeded
     */
    private static String warning(EngineModel graphs) {
        GraphManifest manifest = graphs.manifest();
        List<TensorSpec> specs = manifest.inputs();
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        // The norm of a zero vector has no derivative, so training units get random inputs.
        boolean learns = manifest.training().isPresent();
        List<Tensor> inputs =
                learns ? TrialInputs.random(specs, 1, new SplittableRandom(SEED)) : TrialInputs.zeros(specs, 1);
        String what = learns ? "random numbers" : "zeros";
        try {
            graphs.engine().infer(inputs, wanted, System.nanoTime(), answer -> answer);
            return null;
        } catch (EngineException failed) {
            return switch (failed.code()) {
                case NOT_FINITE ->
                    "a trial step on random inputs gave values that are not finite; the model may still work on real inputs";
                case FAILED, BAD_INDEX -> failed(specs, what, failed);
                case BUSY, TIMED_OUT, UNLOADABLE, NOT_KEPT, OUT_OF_DEVICE_MEMORY, DEVICE_LOST -> throw failed;
            };
        }
    }

    private static String failed(List<TensorSpec> specs, String what, EngineException failed) {
        String said = String.valueOf(failed.getCause().getMessage()).strip();
        if (specs.stream().noneMatch(Check::canCauseFailure)) {
            throw new IllegalStateException("the engine cannot run this model: " + said);
        }
        return "a trial with %s and size 1 for every free dimension failed; the model may still work on real inputs: %s"
                .formatted(what, said);
    }

    /** Whether a run can fail because of this input's values (indices, texts) or its size. */
    private static boolean canCauseFailure(TensorSpec input) {
        boolean fractions = switch (input.datatype()) {
            case FP16, BF16, FP32, FP64 -> true;
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BYTES -> false;
        };
        return !fractions || input.shape().stream().anyMatch(size -> size < 0);
    }
}
