package io.knabla.functions.compiler.cuda;

/**
 * Bandwidth and latency of the link between host and device.
 *
 * @param secondsPerCopy fixed time of a copy, whatever its size
 */
public record HostLink(double bytesPerSecond, double secondsPerCopy) {
    /** PCIe 4.0 with 16 lanes, and the usual latency of a copy; assumed, not measured. */
    public static final HostLink ASSUMED = new HostLink(24e9, 10e-6);
}
