package io.knabla.functions.compiler.autodiff;

/** A state tensor of a training step: the input that reads it, and the output that holds its next value. */
public record StateTensor(String input, String output) {}
