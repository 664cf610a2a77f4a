package io.knabla.functions.graph.ssa;

/** The vocabulary in which derivative rules, lowerings and rewrites are written: one word, one node. */
public record Ops(Builder builder) implements Layout {}
