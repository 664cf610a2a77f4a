package io.knabla.controller.deploy;

import io.knabla.functions.unit.Digest;

/** Event: a client uploaded a model file, or found it already in the store. */
public record Arrival(Digest file) {}
