package io.knabla.controller.cluster.knative.diagnose;

import io.knabla.controller.deploy.Deployment;
import io.knabla.functions.spec.Fault;
import java.util.List;

/** State of the last attempt to package a version of a Function: in progress, or how it ended. */
public sealed interface Packaging {
    /** @param sentence what is in progress, for people */
    record Waiting(String sentence) implements Packaging {}

    record Ended(Deployment deployment) implements Packaging {}

    /** The resource is not a valid function. */
    record Invalid(List<Fault> faults) implements Packaging {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }

    /** Failed for a reason outside the resource and the model: mostly the store. */
    record Failed(RuntimeException why) implements Packaging {}
}
