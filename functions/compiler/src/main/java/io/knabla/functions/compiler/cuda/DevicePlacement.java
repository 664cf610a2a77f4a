package io.knabla.functions.compiler.cuda;

import java.util.List;

/**
 * Where ONNX Runtime computes the nodes of a graph whose session has the CUDA provider.
 *
 * @param device number of nodes on the device
 * @param atLoad number of nodes that it computes once when it loads the graph, and of those that it removes then
 * @param fallbacks nodes on the CPU, in the order of the graph
 * @param copies values that cross between device and host in each call, without the graph's inputs and outputs
 */
public record DevicePlacement(int device, int atLoad, List<Fallback> fallbacks, List<Copy> copies) {
    public DevicePlacement {
        fallbacks = List.copyOf(fallbacks);
        copies = List.copyOf(copies);
    }

    /** Why a node is computed on the CPU. */
    public enum Reason {
        NO_KERNEL("the CUDA provider has no kernel for it"),
        NO_KERNEL_OF_VERSION("the CUDA provider has kernels only for other opsets"),
        NO_KERNEL_OF_TYPE("the CUDA provider has kernels only for other types"),
        ATTRIBUTE("the CUDA provider cannot compute it with an attribute that it has"),
        SHAPE_ARITHMETIC("it computes sizes, which are on the host anyway");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The reason for people. */
        public String text() {
            return text;
        }
    }

    /**
     * A node on the CPU.
     *
     * @param detail types, opset or attribute that the reason is about; "" if it needs none
     */
    public record Fallback(String node, String op, Reason reason, String detail) {
        /** The reason with its detail. */
        public String why() {
            return detail.isEmpty() ? reason.text() : reason.text() + ": " + detail;
        }
    }

    /** Which way a value crosses. */
    public enum Direction {
        TO_DEVICE,
        TO_HOST
    }

    /**
     * One copy in a call.
     *
     * @param bytes with open sizes taken as 1; 0 if the shape is unknown
     */
    public record Copy(String value, Direction direction, long bytes) {}

    public long copiedBytes() {
        return copies.stream().mapToLong(Copy::bytes).sum();
    }

    /** Seconds that the copies of one call take. */
    public double copySeconds(HostLink link) {
        return copies.size() * link.secondsPerCopy() + copiedBytes() / link.bytesPerSecond();
    }

    /** Nodes on the CPU that are not there because of sizes: each of them makes the device wait. */
    public List<Fallback> computations() {
        return fallbacks.stream()
                .filter(one -> one.reason() != Reason.SHAPE_ARITHMETIC)
                .toList();
    }
}
