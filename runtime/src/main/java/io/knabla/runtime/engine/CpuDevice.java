package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.util.List;

/** This machine's processor. */
record CpuDevice() implements Device {
    @Override
    public boolean isCpu() {
        return true;
    }

    @Override
    public String text() {
        return "CPU";
    }

    @Override
    public String fileMark() {
        return "";
    }

    @Override
    public void prepare() {}

    @Override
    public void connect() {}

    @Override
    public HostMemory hostMemory() {
        return HostMemory.PLAIN;
    }

    @Override
    public void configure(SessionOptions options, long weightBytes, boolean exact) throws OrtException {
        if (weightBytes >= Sessions.PREPACK_BELOW_BYTES) {
            options.addConfigEntry("session.disable_prepacking", "1");
        }
    }

    @Override
    public EngineException unloadable(OrtException cause) {
        return EngineException.unloadable(cause);
    }

    @Override
    public EngineException failed(OrtException cause, List<Tensor> inputs) {
        return EngineException.of(cause, inputs);
    }
}
