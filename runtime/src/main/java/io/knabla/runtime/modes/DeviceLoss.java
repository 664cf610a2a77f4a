package io.knabla.runtime.modes;

import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.serve.Replica;

/**
 * Ends this process when its GPU is lost. CUDA keeps such an error for the rest of the process, so only another process
 * can compute on the device again.
 */
final class DeviceLoss {
    private DeviceLoss() {}

    static void watch(LoadedUnit unit, Replica replica, UsageReporter usage) {
        Engine engine = unit.graphs().engine();
        engine.onDeviceLoss(
                loss -> Thread.ofPlatform().name("device-loss").start(() -> end(loss, engine, replica, usage)));
    }

    /**
     * Not by System.exit, which runs what CUDA's libraries do at the end of a process: on a lost device it may hang.
     */
    private static void end(EngineException loss, Engine engine, Replica replica, UsageReporter usage) {
        // The requests that failed by it are answered first.
        replica.drain();
        usage.reportLastInLog();
        GpuWatch.repeatLoss(engine);
        Failures.reportAndHalt(loss);
    }
}
