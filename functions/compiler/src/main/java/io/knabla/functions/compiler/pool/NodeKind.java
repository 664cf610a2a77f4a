package io.knabla.functions.compiler.pool;

/**
 * Price and speed of one instance type of a cluster's nodes.
 *
 * @param name of the instance type
 * @param device name of the GPU, or CPU
 * @param dollarsPerHour price on demand
 * @param peaks floating-point operations a second
 * @param bytesPerSecond memory bandwidth; 0 if it is no limit
 * @param linkBytesPerSecond bandwidth between host and device; 0 if there is no such link
 * @param efficiency how much of the peaks is reached
 */
public record NodeKind(
        String name,
        String device,
        double dollarsPerHour,
        Peaks peaks,
        double bytesPerSecond,
        double linkBytesPerSecond,
        Efficiency efficiency) {

    /** Peak floating-point operations a second. */
    public record Peaks(double float32, double half) {
        double of(Precision precision) {
            return switch (precision) {
                case FLOAT32 -> float32;
                case HALF -> half;
            };
        }
    }

    /**
     * Shares of the peaks that models reach, and fixed times.
     *
     * @param launchSeconds of one operator
     * @param callSeconds of one call
     */
    public record Efficiency(
            double computeShare, double memoryShare, double launchSeconds, double callSeconds, Source source) {}

    /** Where the shares and times come from. */
    public enum Source {
        measured,
        assumed
    }

    /** Type of the numbers that a model computes with. */
    public enum Precision {
        FLOAT32(1),
        HALF(0.5);

        private final double size;

        Precision(double size) {
            this.size = size;
        }

        /** Bytes of a number, by those of float32. */
        double size() {
            return size;
        }
    }
}
