package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.util.List;

/**
 * Where the engine computes. What only one kind of device needs is behind these methods, so that a replica on a CPU
 * loads no class of a GPU.
 */
public sealed interface Device permits CpuDevice, CudaDevice {
    /** This machine's processor. */
    Device CPU = new CpuDevice();

    /** Whether it is this machine's processor. */
    boolean isCpu();

    /** For people: {@code CPU}, or {@code GPU 0}. */
    String text();

    /** What marks files that hold something made for this device, beside those of others; may be empty. */
    String fileMark();

    /**
     * Makes this process able to compute on the device. Called once, before the engine's native library is loaded.
     *
     * @throws EngineException {@code UNLOADABLE} if something that it takes is missing, with what to install
     */
    void prepare();

    /**
     * Makes what the first use of the device makes, its context. Called once, with the engine's native library loaded;
     * a failure shows when a model is opened.
     */
    void connect();

    /** Memory for the tensors of one model's requests and answers; the caller closes it. */
    HostMemory hostMemory();

    /**
     * Adds the device to a session's options.
     *
     * @param weightBytes size of the model's weights
     * @param exact whether the products of matrices need all digits of float32, as gradients do
     */
    void configure(SessionOptions options, long weightBytes, boolean exact) throws OrtException;

    /** Explains why a model could not be loaded. */
    EngineException unloadable(OrtException cause);

    /**
     * Explains why a run failed.
     *
     * @param inputs of the run
     */
    EngineException failed(OrtException cause, List<Tensor> inputs);
}
