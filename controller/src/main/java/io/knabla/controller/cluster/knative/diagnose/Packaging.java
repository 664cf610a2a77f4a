package io.knabla.controller.cluster.knative.diagnose;

import io.knabla.controller.deploy.Deployment;
import io.knabla.functions.spec.Fault;
import java.util.List;

/** How the last try to make a version of a Function ended, or that it has not. */
public sealed interface Packaging {
    /** @param sentence what goes on, for people */
    record Waiting(String sentence) implements Packaging {}

    record Ended(Deployment deployment) implements Packaging {}

    /** The resource does not say what a function is. */
    record Invalid(List<Fault> faults) implements Packaging {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }

    /** Neither the resource's fault nor the model's: the store, mostly. */
    record Failed(RuntimeException why) implements Packaging {}
}
