package io.knabla.runtime;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.check.DotTest;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.check.Verdict;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Loads a unit and runs it once, so that a model that breaks the engine is found at deploy; and holds its gradients, if
 * it has any, against differences of its loss.
 */
final class Check {
    private static final long SEED = 1;

    private Check() {}

    static int run(Settings settings) {
        try {
            long start = System.nanoTime();
            Load load = Load.trial(settings);
            long loaded = System.nanoTime();
            String warning = warning(load);
            Optional<Verdict> verdict = DotTest.of(load.engine(), load.manifest());
            if (verdict.isPresent() && verdict.get() instanceof Verdict.Differs differs) {
                Events.refused(differs.sentence());
                return Main.REFUSED;
            }
            Events.checked(Load.millis(loaded - start), Load.millis(System.nanoTime() - loaded), warning, verdict);
            return 0;
        } catch (RuntimeException failed) {
            return Main.ended(failed);
        }
    }

    /**
     * Runs it. An engine that says no may mean these inputs only: an index of 0 where none is, one pixel where a kernel
     * wants seven. That is told, not refused; where every input is alike, it is refused.
     *
     * @return null where all went well
     */
    private static String warning(Load load) {
        UnitManifest manifest = load.manifest();
        List<TensorSpec> specs = manifest.inputs();
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        // A norm of zeros has no derivative, so what learns is tried with other numbers.
        boolean learns = manifest.training().isPresent();
        List<Tensor> inputs =
                learns ? TrialInputs.random(specs, 1, new SplittableRandom(SEED)) : TrialInputs.zeros(specs, 1);
        String what = learns ? "made-up numbers" : "zeros";
        try {
            load.engine().infer(inputs, wanted, System.nanoTime(), answer -> answer);
            return null;
        } catch (EngineException failed) {
            return switch (failed.code()) {
                case NOT_FINITE ->
                    "a trial step with made-up numbers gave none that are finite; with real inputs this model may work";
                case FAILED, BAD_INDEX -> failed(specs, what, failed);
                case BUSY, TIMED_OUT, UNLOADABLE, NOT_KEPT -> throw failed;
            };
        }
    }

    private static String failed(List<TensorSpec> specs, String what, EngineException failed) {
        String said = String.valueOf(failed.getCause().getMessage()).strip();
        if (specs.stream().noneMatch(Check::matters)) {
            throw new IllegalStateException("the engine cannot run this model: " + said);
        }
        return "a trial with %s, and 1 for every free dimension, failed; with real inputs this model may work: %s"
                .formatted(what, said);
    }

    /** Whether what an input holds, or its size, decides more than the numbers that come out. */
    private static boolean matters(TensorSpec input) {
        boolean fractions = switch (input.datatype()) {
            case FP16, BF16, FP32, FP64 -> true;
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BYTES -> false;
        };
        return !fractions || input.shape().stream().anyMatch(size -> size < 0);
    }
}
