package io.knabla.controller.cluster.knative.manifest;

import io.knabla.controller.cluster.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;

/**
 * A kind of capacity; each that a function uses has one Configuration.
 *
 * @param pool cpu or gpu, never auto
 */
public record Slot(Pool pool, CapacityType capacity) {}
