package io.knabla.storage.s3.proxy;

/** Selects the fault for each request. Thread-safe. */
@FunctionalInterface
public interface FaultPlan {
    FaultPlan NONE = _ -> new Fault.None();

    Fault next(MessageHead request);
}
