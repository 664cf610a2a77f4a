package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.Xid;
import io.knabla.runtime.inference.EngineModel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Reports the driver's errors of a replica's GPU, and gives device memory back when the replica is idle. */
final class GpuWatch {
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private GpuWatch() {}

    static void start(EngineModel model) {
        Engine engine = model.engine();
        if (engine.settings().device() instanceof CudaDevice device) {
            engine.watchDriver(xid -> Events.xid(device.index(), xid));
            // A step would change the state.
            if (model.manifest().training().isEmpty()) {
                watchUse(model);
            }
        }
    }

    /** Repeats the driver's errors that cost the device, among the last lines of the log, which Kubernetes keeps. */
    static void repeatLoss(Engine engine) {
        if (engine.settings().device() instanceof CudaDevice device) {
            engine.xids().keySet().stream()
                    .map(Xid::of)
                    .filter(xid -> xid.kind() == Xid.Kind.Device)
                    .forEach(xid -> Events.xid(device.index(), xid));
        }
    }

    private static void watchUse(EngineModel model) {
        var idle = new IdleTime(model.engine().runs(), System.nanoTime());
        Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("idle").factory())
                .scheduleWithFixedDelay(
                        () -> giveBackWhenIdle(model, idle), PERIOD.toSeconds(), PERIOD.toSeconds(), TimeUnit.SECONDS);
    }

    private static void giveBackWhenIdle(EngineModel model, IdleTime idle) {
        if (idle.isOver(model.engine().runs(), System.nanoTime())) {
            giveBack(model);
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
