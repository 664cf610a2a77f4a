package io.knabla.controller;

/** A source of short random names; injected, so that a test can foretell them. */
@FunctionalInterface
public interface Ids {
    /** Lower-case letters and digits, eight of them. */
    String next();
}
