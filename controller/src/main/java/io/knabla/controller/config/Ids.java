package io.knabla.controller.config;

/** Generates short random names; injected, because tests need predictable ones. */
@FunctionalInterface
public interface Ids {
    /** Eight lower-case letters and digits. */
    String next();
}
