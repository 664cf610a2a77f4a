package io.knabla.runtime.inference;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.serve.ServedModel;
import java.time.Duration;

/** A unit whose graphs are open in the engine: inference, gradients, or a training step. Owns the engine. */
public record EngineModel(Engine engine, GraphManifest manifest) implements ServedModel {
    @Override
    public int running() {
        return engine.running();
    }

    @Override
    public int waiting() {
        return engine.waiting();
    }

    @Override
    public long runs() {
        return engine.runs();
    }

    @Override
    public Duration overdue() {
        return engine.overdue();
    }

    @Override
    public void metrics(StringBuilder text, String labels) {
        if (!engine.settings().device().isCpu()) {
            GpuMetrics.append(text, labels, engine);
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
