package io.knabla.controller.platform;

import io.knabla.functions.spec.FunctionSpec;

/**
 * A process or a pod that takes a slot of a node: a replica of a function, or what another kind of object runs.
 *
 * @param id never reused
 * @param node name of its node
 * @param resources that its owner declares for it
 */
public record Workload(String id, WorkloadOwner owner, String node, FunctionSpec.Resources resources) {}
