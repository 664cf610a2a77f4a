package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.inference.EngineModel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Runs a model once on a GPU before it serves: what is missing there, such as cuDNN for convolutions or memory for the
 * largest batch, shows only in a run.
 */
final class FirstRun {
    /** Beyond the timeout of requests: a first run loads the kernels that it uses. */
    private static final Duration MORE_TIME = Duration.ofSeconds(20);

    private FirstRun() {}

    /**
     * @param rows of the largest batch
     * @throws EngineException if the device cannot run the model; a run that fails because of these inputs is no
     *     failure
     */
    static void of(EngineModel model, int rows) {
        GraphManifest manifest = model.manifest();
        if (manifest.training().isPresent()) {
            // A step would change the state; a deploy tries one.
            return;
        }
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        List<Tensor> inputs = TrialInputs.zeroRows(manifest.inputs(), manifest.batchable() ? rows : 1);
        try {
            model.engine()
                    .run(Optional.empty(), inputs, wanted, System.nanoTime() + MORE_TIME.toNanos(), answer -> answer);
        } catch (EngineException failed) {
            switch (failed.code()) {
                case FAILED, BAD_INDEX, NOT_FINITE -> {}
                case BUSY, TIMED_OUT, UNLOADABLE, NOT_KEPT, OUT_OF_DEVICE_MEMORY, DEVICE_LOST -> throw failed;
            }
        } finally {
            inputs.forEach(Tensor::close);
        }
    }
}
