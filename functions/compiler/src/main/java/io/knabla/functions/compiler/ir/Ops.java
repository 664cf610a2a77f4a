package io.knabla.functions.compiler.ir;

/** Builder methods with which derivative rules, lowerings and rewrites create operations. */
public record Ops(Builder builder) implements Layout {}
