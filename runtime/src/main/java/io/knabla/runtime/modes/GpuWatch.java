package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.inference.EngineModel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What a replica on a GPU does beside its requests: tells what the driver reports, and gives memory back when idle. */
final class GpuWatch {
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private GpuWatch() {}

    static void start(EngineModel model) {
        Engine engine = model.engine();
        if (engine.settings().device() instanceof CudaDevice device) {
            engine.watchDriver(xid -> Events.xid(device.index(), xid));
            // A step would change the state.
            if (model.manifest().training().isEmpty()) {
                Thread.ofPlatform().daemon().name("idle").start(() -> watchUse(model));
            }
        }
    }

    private static void watchUse(EngineModel model) {
        var idle = new IdleTime(model.engine().runs(), System.nanoTime());
        try {
            while (true) {
                Thread.sleep(PERIOD);
                if (idle.isOver(model.engine().runs(), System.nanoTime())) {
                    giveBack(model);
                }
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /** The inputs are zeros: what a run computes of them does not matter, nor whether it fails. */
    static void giveBack(EngineModel model) {
        GraphManifest manifest = model.manifest();
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        List<Tensor> inputs = TrialInputs.zeroRows(manifest.inputs(), 1);
        try {
            model.engine().runAndShrink(inputs, wanted);
        } catch (EngineException failed) {
            // A lost device is told by the engine.
        } finally {
            inputs.forEach(Tensor::close);
        }
    }
}
