package io.knabla.controller.knative.status;

import io.knabla.controller.deploy.DeployResult;
import io.knabla.functions.Fault;
import java.util.List;

/** State of the last attempt to package a version of a Function: in progress, or how it ended. */
public sealed interface PackagingState {
    /** @param sentence what is in progress, for people */
    record Waiting(String sentence) implements PackagingState {}

    record Ended(DeployResult deployment) implements PackagingState {}

    /** The resource is not a valid function. */
    record Invalid(List<Fault> faults) implements PackagingState {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }

    /** Failed for a reason outside the resource and the model: mostly the store. */
    record Failed(RuntimeException why) implements PackagingState {}
}
