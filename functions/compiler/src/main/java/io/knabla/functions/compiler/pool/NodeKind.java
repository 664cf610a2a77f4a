package io.knabla.functions.compiler.pool;

/**
 * Price and speed of one instance type of a cluster's nodes.
 *
 * @param name of the instance type
 * @param device name of the GPU, or CPU
 * @param price on demand
 * @param peaks floating-point operations a second
 * @param bytesPerSecond memory bandwidth; 0 if it is no limit
 * @param linkBytesPerSecond bandwidth between host and device; 0 if there is no such link
 * @param efficiency how much of the peaks is reached
 */
public record NodeKind(
        String name,
        String device,
        Price price,
        Peaks peaks,
        double bytesPerSecond,
        double linkBytesPerSecond,
        Efficiency efficiency) {

    /** Dollars of an hour. */
    public record Price(double dollarsPerHour, PriceSource source) {}

    /** Where a price comes from. */
    public enum PriceSource {
        /** The prices that the platform counts costs by. */
        platform,
        /** The table of this package. */
        table
    }

    /**
     * Peak floating-point operations a second.
     *
     * @param tf32 of float32 as GPUs compute its products by default, if they can: with 10 bits of the fractions
     */
    public record Peaks(double float32, double tf32, double half) {
        public double of(Precision precision) {
            return switch (precision) {
                case FLOAT32 -> float32;
                case TF32 -> tf32;
                case HALF -> half;
            };
        }
    }

    /**
     * Shares of the peaks that models reach, and fixed times.
     *
     * @param convolutionShare what convolutions reach
     * @param launchSeconds of one operator
     * @param callSeconds of one call
     */
    public record Efficiency(
            double computeShare,
            double convolutionShare,
            double memoryShare,
            double launchSeconds,
            double callSeconds,
            Source source) {}

    /** Where the shares and times come from. */
    public enum Source {
        measured,
        assumed
    }

    /** Type of the numbers that a model computes with. */
    public enum Precision {
        FLOAT32(1),
        TF32(1),
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

    public double dollarsPerHour() {
        return price.dollarsPerHour();
    }

    /** The same at another price. */
    public NodeKind at(Price other) {
        return new NodeKind(name, device, other, peaks, bytesPerSecond, linkBytesPerSecond, efficiency);
    }

    /** The same of another instance type. */
    public NodeKind named(String type) {
        return new NodeKind(type, device, price, peaks, bytesPerSecond, linkBytesPerSecond, efficiency);
    }
}
