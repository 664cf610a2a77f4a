package io.knabla.controller.usage;

/** How a replica was started. */
public enum StartKind {
    COLD,
    POOLED
}
