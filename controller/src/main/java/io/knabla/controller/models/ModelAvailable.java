package io.knabla.controller.models;

import io.knabla.functions.unit.Digest;

/** Event: a client uploaded a model file, or found it already in the store. */
public record ModelAvailable(Digest file) {}
