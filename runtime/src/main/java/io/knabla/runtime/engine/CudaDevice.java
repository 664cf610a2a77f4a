package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An NVIDIA GPU.
 *
 * @param index among the GPUs that this process sees, from 0; in a container with one GPU it is 0
 * @param limit of the device memory that weights and values of each session may take; CUDA's own context and workspaces
 *     come on top
 * @param libraries what the process needs of NVIDIA and of ONNX Runtime
 */
public record CudaDevice(int index, DeviceMemoryLimit limit, CudaLibraries libraries) implements Device {
    /** Of a run: the arenas that give memory back after it. */
    private static final String SHRINK = "memory.enable_memory_arena_shrinkage";

    @Override
    public boolean isCpu() {
        return false;
    }

    @Override
    public String text() {
        return "GPU " + index;
    }

    @Override
    public String fileMark() {
        return "cuda-";
    }

    @Override
    public void prepare() {
        List<CudaLibraries.Missing> missing = libraries.open().stream()
                .filter(one -> one.library().isRequired())
                .toList();
        if (!missing.isEmpty()) {
            throw EngineException.unloadable(CudaLibraries.sentence(missing));
        }
        libraries.loadEngine();
    }

    @Override
    public void connect() {
        memory();
    }

    @Override
    public HostMemory hostMemory() {
        return new PinnedMemory(this);
    }

    /** A run after which the device's arena gives back what no value needs. */
    List<Tensor> shrinking(RunOptions options, Shrinking run) throws OrtException {
        options.addRunConfigEntry(SHRINK, "gpu:" + index);
        try {
            return run.run();
        } finally {
            options.addRunConfigEntry(SHRINK, "");
        }
    }

    /** Computes the outputs of one run. */
    interface Shrinking {
        List<Tensor> run() throws OrtException;
    }

    /** What is wrong with the driver or the GPU, for a process whose libraries are open; empty if nothing is. */
    public Optional<String> trouble() {
        libraries.loadEngine();
        Sessions.environment();
        try (var options = new SessionOptions()) {
            configure(options, 0, false);
            return Optional.empty();
        } catch (OrtException refused) {
            return Optional.of(unloadable(refused).getMessage());
        }
    }

    /** Empty where CUDA does not tell, as after the device was lost. For a process whose libraries are open. */
    public Optional<DeviceMemory> memory() {
        return DeviceMemory.of(this);
    }

    /** Empty where NVIDIA's management library is absent, or does not tell. */
    public Optional<GpuUtilization> utilization() {
        return NvmlDevice.of(this).flatMap(NvmlDevice::utilization);
    }

    /** Such as {@code NVIDIA L4}; empty where CUDA does not tell. For a process whose libraries are open. */
    public Optional<String> name() {
        return DeviceProperties.of(this).map(DeviceProperties::name).filter(name -> !name.isBlank());
    }

    /** Bytes that a session may hold; empty for no limit. For a process whose libraries are open. */
    public OptionalLong memoryLimit() {
        return limit.bytes(this::memory);
    }

    @Override
    public void configure(SessionOptions options, long weightBytes, boolean exact) throws OrtException {
        CudaProvider.add(options, providerOptions(exact));
    }

    /**
     * Never with {@code enable_cuda_graph}: a session that is run by the binding's {@code run} replays the first call's
     * graph without copying later inputs or outputs, and reports success (ONNX Runtime 1.29).
     */
    Map<String, String> providerOptions(boolean exact) {
        Map<String, String> options = new HashMap<>();
        options.put("device_id", Integer.toString(index));
        memoryLimit().ifPresent(bytes -> options.put("gpu_mem_limit", Long.toString(bytes)));
        // The default doubles its memory each time it grows.
        options.put("arena_extend_strategy", "kSameAsRequested");
        // The default tries all algorithms at the first run of each shape, which takes seconds to minutes.
        options.put("cudnn_conv_algo_search", "HEURISTIC");
        if (exact) {
            // Else matrices are multiplied with 10 bits of their fractions.
            options.put("use_tf32", "0");
        }
        return options;
    }

    @Override
    public EngineException unloadable(OrtException cause) {
        return CudaFailure.parse(cause.getMessage())
                .map(failure -> EngineException.ofLoad(failure, failure.sentence(memoryLimit()), cause))
                .orElseGet(() -> EngineException.unloadable(cause));
    }

    @Override
    public EngineException failed(OrtException cause, List<Tensor> inputs) {
        return CudaFailure.parse(cause.getMessage())
                .map(failure -> EngineException.ofRun(failure, failure.sentence(memoryLimit()), cause))
                .orElseGet(() -> EngineException.of(cause, inputs));
    }
}
