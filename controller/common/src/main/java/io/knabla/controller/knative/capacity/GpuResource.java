package io.knabla.controller.knative.capacity;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the extended resources by which NVIDIA's device plugin offers GPUs and parts of them. Pure. */
public final class GpuResource {
    /** A GPU, or one of the shares that time slicing or MPS makes of it. */
    public static final String GPU = "nvidia.com/gpu";

    /** A share, where the plugin is set to {@code renameByDefault}. */
    private static final String SHARED = GPU + ".shared";

    /** A part of an A100 or a larger GPU: slices of compute and gigabytes of memory. */
    private static final Pattern MIG = Pattern.compile("nvidia\\.com/mig-([1-7])g\\.\\d{1,3}gb");

    /** Slices of compute of a whole GPU that can be parted so (NVIDIA's MIG user guide). */
    private static final BigDecimal SLICES = BigDecimal.valueOf(7);

    private static final int SCALE = 6;

    private GpuResource() {}

    /** Whether an amount of it is one of GPUs, or of parts of them. */
    public static boolean isGpu(String resource) {
        return resource.equals(GPU) || resource.equals(SHARED) || isMig(resource);
    }

    /** Whether one of it is a part with memory of its own, which no label of the node divides further. */
    public static boolean isMig(String resource) {
        return MIG.matcher(resource).matches();
    }

    /** GPUs of a container or node, by resource; a part counts as its share of the compute. */
    public static BigDecimal gpus(Map<String, BigDecimal> amounts) {
        return amounts.entrySet().stream()
                .map(entry -> entry.getValue().multiply(share(entry.getKey())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal share(String resource) {
        Matcher mig = MIG.matcher(resource);
        if (mig.matches()) {
            return new BigDecimal(mig.group(1)).divide(SLICES, SCALE, RoundingMode.HALF_UP);
        }
        return isGpu(resource) ? BigDecimal.ONE : BigDecimal.ZERO;
    }
}
