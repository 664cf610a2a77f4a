package io.knabla.functions.decoder.config;

/** Function of each number between two products, or behind the last. */
public enum Activation {
    IDENTITY,
    /** {@code x · Φ(x)}. */
    GELU,
    /** The approximation of GELU by tanh. */
    GELU_TANH,
    RELU,
    SIGMOID,
    /** {@code x / (1 + e^(-x))}. */
    SILU,
    TANH
}
