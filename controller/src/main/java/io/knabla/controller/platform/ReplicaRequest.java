package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;

/** Request to start one more replica of a version on a node. */
public record ReplicaRequest(FunctionId function, Version version, String node) {
    /** The workload that the replica is, under its id. */
    public Workload workload(String replica) {
        WorkloadOwner owner = WorkloadOwner.of(new VersionKey(function, version.number()));
        return new Workload(replica, owner, node, version.spec().resources());
    }
}
