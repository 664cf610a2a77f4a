package io.knabla.runtime.modes;

import io.knabla.runtime.engine.Device;
import io.knabla.runtime.engine.Engine;

/**
 * Loads the engine's native library and makes the device's context in a thread of its own while a unit is fetched. Does
 * nothing in a process that has computed before.
 */
final class EngineStart {
    private final Thread thread = Thread.ofPlatform().daemon().name("engine").unstarted(this::load);
    private final Device device;

    /** Set by one thread after the other. */
    private long deviceNanos;

    private EngineStart(Device device) {
        this.device = device;
    }

    /** @throws io.knabla.runtime.engine.EngineException if something is missing that the device takes */
    static EngineStart begin(Device device) {
        var start = new EngineStart(device);
        if (!Engine.isPreloaded()) {
            long began = System.nanoTime();
            device.prepare();
            start.deviceNanos = System.nanoTime() - began;
            start.thread.start();
        }
        return start;
    }

    private void load() {
        Engine.preload();
        long began = System.nanoTime();
        device.connect();
        deviceNanos += System.nanoTime() - began;
    }

    /** Waits; at most this long did the device's libraries and its context take, in nanoseconds. */
    long await() {
        try {
            thread.join();
            return deviceNanos;
        } catch (InterruptedException stopping) {
            throw new IllegalStateException("stopped while loading", stopping);
        }
    }
}
