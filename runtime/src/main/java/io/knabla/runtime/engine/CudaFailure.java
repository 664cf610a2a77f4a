package io.knabla.runtime.engine;

import io.knabla.runtime.engine.EngineException.Code;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A failure on a GPU, parsed from an error message of ONNX Runtime 1.29 and its CUDA provider, which report it by text
 * only.
 *
 * @param detail what the message names: a library, an operator, or CUDA's own text; may be empty
 * @param cuda CUDA's number of the error; 0 if the message has none
 * @param available bytes of device memory that were left; 0 if the message does not say
 * @param requested bytes that did not fit; 0 if the message does not say
 */
record CudaFailure(Kind kind, String detail, int cuda, long available, long requested) {
    private static final Pattern LIBRARY = Pattern.compile(
            "Failed to load library \\S*onnxruntime_providers_\\S+ with error: ([^:\\s]+): cannot open shared object");

    private static final Pattern CUDA = Pattern.compile("CUDA failure (\\d+): (.*?) ; GPU=");

    private static final Pattern LIMIT =
            Pattern.compile("Available memory of (\\d+) is smaller than requested bytes of (\\d+)");

    private static final Pattern FULL = Pattern.compile(
            "Failed to allocate memory for requested buffer of size (\\d+)|CUDA failure 2: out of memory");

    private static final Pattern CUDNN = Pattern.compile("(?i)cudnn[^.;]*(?:is unavailable|not available|disabled)");

    private static final Pattern NODE = Pattern.compile("while running (\\w+) node\\.");

    private static final Pattern ELSEWHERE =
            Pattern.compile("assigned to the default CPU EP, but fallback to CPU EP has been explicitly disabled");

    private static final String DRIVER = "libcuda.so.1";
    private static final int DRIVER_TOO_OLD = 35;
    private static final int NO_DEVICE = 100;
    private static final int NO_KERNEL_IMAGE = 209;

    /** After these errors no call of CUDA succeeds in the same process (CUDA's documentation of cudaError). */
    private static final Set<Integer> STICKY = Set.of(214, 700, 702, 710, 714, 715, 716, 717, 718, 719, 810, 999);

    private static final String RESET = "ORT_DEVICE_RESET";
    private static final long MIB = 1L << 20;
    private static final int MOST_DIGITS = 18;

    /** What went wrong; with the code of a failure at load and in a run. */
    enum Kind {
        LIBRARY_MISSING(Code.UNLOADABLE, Code.UNLOADABLE),
        DRIVER_MISSING(Code.UNLOADABLE, Code.UNLOADABLE),
        DRIVER_TOO_OLD(Code.UNLOADABLE, Code.UNLOADABLE),
        NO_DEVICE(Code.UNLOADABLE, Code.UNLOADABLE),
        /** The GPU is of a generation that the provider has no code for. */
        NO_CODE_FOR_DEVICE(Code.UNLOADABLE, Code.UNLOADABLE),
        CUDNN_MISSING(Code.UNLOADABLE, Code.UNLOADABLE),
        /** A part of the model has no code for GPUs, and may not run elsewhere. */
        NOT_ON_DEVICE(Code.UNLOADABLE, Code.UNLOADABLE),
        /** More than this model's share of the device's memory. */
        OVER_LIMIT(Code.OUT_OF_DEVICE_MEMORY, Code.OUT_OF_DEVICE_MEMORY),
        DEVICE_FULL(Code.OUT_OF_DEVICE_MEMORY, Code.OUT_OF_DEVICE_MEMORY),
        LOST(Code.DEVICE_LOST, Code.DEVICE_LOST),
        /** Another error of CUDA, after which the device can be used. */
        OTHER(Code.UNLOADABLE, Code.FAILED);

        private final Code whenLoading;
        private final Code whenRunning;

        Kind(Code whenLoading, Code whenRunning) {
            this.whenLoading = whenLoading;
            this.whenRunning = whenRunning;
        }

        Code whenLoading() {
            return whenLoading;
        }

        Code whenRunning() {
            return whenRunning;
        }
    }

    private CudaFailure(Kind kind, String detail) {
        this(kind, detail, 0, 0, 0);
    }

    /** @param message of the engine's exception; may be null. Empty if it is about something else than the GPU. */
    static Optional<CudaFailure> parse(String message) {
        if (message == null) {
            return Optional.empty();
        }
        return library(message)
                .or(() -> memory(message))
                .or(() -> cuda(message))
                .or(() -> placement(message));
    }

    private static Optional<CudaFailure> library(String message) {
        Matcher library = LIBRARY.matcher(message);
        if (!library.find()) {
            return Optional.empty();
        }
        String name = library.group(1);
        return Optional.of(new CudaFailure(name.equals(DRIVER) ? Kind.DRIVER_MISSING : Kind.LIBRARY_MISSING, name));
    }

    private static Optional<CudaFailure> memory(String message) {
        Matcher limit = LIMIT.matcher(message);
        if (limit.find()) {
            return Optional.of(new CudaFailure(Kind.OVER_LIMIT, "", 0, bytes(limit.group(1)), bytes(limit.group(2))));
        }
        Matcher full = FULL.matcher(message);
        if (full.find()) {
            long requested = full.group(1) == null ? 0 : bytes(full.group(1));
            return Optional.of(new CudaFailure(Kind.DEVICE_FULL, "", 0, 0, requested));
        }
        return Optional.empty();
    }

    /** A size that is no size, of more than 18 digits, becomes 1 EiB. */
    private static long bytes(String digits) {
        return digits.length() > MOST_DIGITS ? 1L << 60 : Long.parseLong(digits);
    }

    private static Optional<CudaFailure> cuda(String message) {
        Matcher cuda = CUDA.matcher(message);
        if (cuda.find()) {
            int number = Integer.parseInt(cuda.group(1));
            return Optional.of(new CudaFailure(kind(number), cuda.group(2), number, 0, 0));
        }
        return message.contains(RESET) ? Optional.of(new CudaFailure(Kind.LOST, "it was reset")) : Optional.empty();
    }

    private static Kind kind(int number) {
        if (STICKY.contains(number)) {
            return Kind.LOST;
        }
        return switch (number) {
            case DRIVER_TOO_OLD -> Kind.DRIVER_TOO_OLD;
            case NO_DEVICE -> Kind.NO_DEVICE;
            case NO_KERNEL_IMAGE -> Kind.NO_CODE_FOR_DEVICE;
            default -> Kind.OTHER;
        };
    }

    private static Optional<CudaFailure> placement(String message) {
        if (CUDNN.matcher(message).find()) {
            Matcher node = NODE.matcher(message);
            return Optional.of(new CudaFailure(Kind.CUDNN_MISSING, node.find() ? node.group(1) : ""));
        }
        return ELSEWHERE.matcher(message).find()
                ? Optional.of(new CudaFailure(Kind.NOT_ON_DEVICE, ""))
                : Optional.empty();
    }

    /**
     * What was wrong and what to do.
     *
     * @param memoryLimit of the model, in bytes
     */
    String sentence(OptionalLong memoryLimit) {
        return switch (kind) {
            case LIBRARY_MISSING ->
                "the CUDA library %s is missing; ./knabla doctor --gpu prints the command that installs it"
                        .formatted(detail);
            case DRIVER_MISSING ->
                "this machine has no NVIDIA driver, or the pod asked for no GPU; install driver 580 or newer, or write resources.gpu: 1";
            case DRIVER_TOO_OLD -> "the NVIDIA driver is too old for CUDA 13; install driver 580 or newer";
            case NO_DEVICE ->
                "the NVIDIA driver sees no GPU; look with nvidia-smi, and whether CUDA_VISIBLE_DEVICES hides it";
            case NO_CODE_FOR_DEVICE ->
                "ONNX Runtime 1.29 has no code for this GPU: it has for compute capability 7.5, 8.x, 9.0 and 12.0; take another node, or placement.pool: cpu";
            case CUDNN_MISSING ->
                "%scuDNN 9 is needed for this model and is missing; ./knabla doctor --gpu prints the command that installs it"
                        .formatted(detail.isEmpty() ? "" : "at its operator " + detail + ": ");
            case NOT_ON_DEVICE ->
                "a part of this model has no code for GPUs, and session.disable_cpu_ep_fallback forbids the CPU; ./knabla analyze names it";
            case OVER_LIMIT -> overLimit(memoryLimit);
            case DEVICE_FULL ->
                "the GPU's memory is full%s; others on the same GPU hold the rest. Call again later, lower batching.maxSize, or use a larger GPU"
                        .formatted(requested == 0 ? "" : ", %s more did not fit".formatted(mebibytes(requested)));
            case LOST ->
                "the GPU was lost: %s%s; this replica ends and another one takes its place, so call again"
                        .formatted(detail, cuda == 0 ? "" : " (CUDA error %d)".formatted(cuda));
            case OTHER -> "the GPU failed: %s (CUDA error %d)".formatted(detail, cuda);
        };
    }

    private String overLimit(OptionalLong memoryLimit) {
        long held = Math.max(0, memoryLimit.orElse(available) - available);
        return "this needs at least %s of device memory, and the model may have %s; lower batching.maxSize, send less at once, or ask for a larger share in resources.gpu"
                .formatted(
                        mebibytes(held + requested),
                        memoryLimit.isPresent() ? mebibytes(memoryLimit.getAsLong()) : "less");
    }

    private static String mebibytes(long bytes) {
        return "%,d MiB".formatted(Math.ceilDiv(bytes, MIB));
    }
}
