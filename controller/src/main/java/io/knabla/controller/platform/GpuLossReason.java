package io.knabla.controller.platform;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reason why a replica lost its GPU, the label of a metric: an Xid error of the device or a CUDA error of the process.
 */
public enum GpuLossReason {
    Xid48,
    Xid79,
    Xid95,
    CudaError214,
    CudaError700,
    CudaError702,
    CudaError710,
    CudaError714,
    CudaError715,
    CudaError716,
    CudaError717,
    CudaError718,
    CudaError719,
    CudaError810,
    CudaError999,
    unknown;

    /** Of a replica that lost its GPU. */
    public static final int EXIT_CODE = 6;

    private static final Pattern CUDA = Pattern.compile("CUDA error (\\d+)");

    /**
     * The driver's error comes first: CUDA's is its consequence.
     *
     * @param error that cost the node its GPU a short while ago
     * @param sentence that the replica ended with
     */
    public static GpuLossReason of(Optional<GpuError> error, String sentence) {
        Matcher cuda = CUDA.matcher(sentence);
        return error.map(one -> named("Xid" + one.xid()))
                .orElseGet(() -> cuda.find() ? named("CudaError" + cuda.group(1)) : unknown);
    }

    private static GpuLossReason named(String name) {
        return Arrays.stream(values())
                .filter(reason -> reason.name().equals(name))
                .findFirst()
                .orElse(unknown);
    }
}
