package io.knabla.controller.deploy;

import io.knabla.functions.unit.Digest;

/** Told when somebody brought a model's file, also one that was there already. */
public record Arrival(Digest file) {}
