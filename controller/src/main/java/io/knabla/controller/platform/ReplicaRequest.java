package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;

/** Request to start one more replica of a version on a node. */
public record ReplicaRequest(FunctionId function, Version version, String node) {}
