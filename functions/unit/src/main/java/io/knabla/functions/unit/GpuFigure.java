package io.knabla.functions.unit;

/** Measured rate or time of a GPU, with its name in the replica program's event and in files. */
public enum GpuFigure {
    /** Floating-point operations a second in products of large float32 matrices, with all digits. */
    float32,
    /** The same as the device computes them by default, which may be with 10 bits of their fractions. */
    tf32,
    /** The same of matrices in half precision. */
    half,
    /** Floating-point operations a second in convolutions of 3×3, as the device computes them by default. */
    convolution,
    /** Bytes of the device's memory that are read and written a second. */
    bytesPerSecond,
    /** Bytes a second between the host's ordinary memory and the device. */
    linkBytesPerSecond,
    /** Seconds that one more operator of a model takes. */
    launchSeconds,
    /** Seconds of a run of one operator on one number, copies included. */
    callSeconds
}
