package io.knabla.controller.cluster;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;

/** One more replica of a version, on that node. */
public record ReplicaRequest(FunctionId function, Version version, String node) {}
