package io.knabla.functions.autodiff;

public record StateTensor(String input, String output) {}
