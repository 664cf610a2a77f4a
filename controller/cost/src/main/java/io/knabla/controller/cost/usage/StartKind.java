package io.knabla.controller.cost.usage;

/** How a replica was started. */
public enum StartKind {
    COLD,
    POOLED
}
