package io.knabla.functions.compiler.autodiff;

public record StateTensor(String input, String output) {}
