package io.knabla.functions.spec;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Number of GPUs of one replica: whole ones, or one of n shares of a GPU that nodes offer. A share has at most 1/n of
 * the device's memory; its speed is not guaranteed.
 */
public final class GpuShare {
    private static final int MOST = 16;
    private static final List<Double> SHARES = List.of(0.125, 0.2, 0.25, 0.5);

    /** CEL expression: a list of all numbers that a replica may have. */
    static final String ALLOWED = DoubleStream.concat(
                    SHARES.stream().mapToDouble(Double::doubleValue),
                    IntStream.rangeClosed(0, MOST).asDoubleStream())
            .mapToObj(Double::toString)
            .collect(Collectors.joining(", ", "[", "]"));

    private GpuShare() {}

    static boolean isAllowed(double gpu) {
        return SHARES.contains(gpu) || gpu == Math.rint(gpu) && gpu >= 0 && gpu <= MOST;
    }

    /** Whether it is a part of one GPU. */
    public static boolean isShare(double gpu) {
        return gpu > 0 && gpu < 1;
    }

    /** Number of shares of a GPU, 1 for whole GPUs. */
    public static int parts(double gpu) {
        return isShare(gpu) ? (int) Math.round(1 / gpu) : 1;
    }

    /** As in a file: without a point if it is whole. */
    public static String text(double gpu) {
        return gpu == Math.rint(gpu) ? Long.toString(Math.round(gpu)) : Double.toString(gpu);
    }
}
