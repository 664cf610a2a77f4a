package io.knabla.functions.decoder.config;

/** Activation function: what a model applies to each element of a matrix product. */
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
