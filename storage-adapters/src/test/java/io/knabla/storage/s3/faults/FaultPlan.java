package io.knabla.storage.s3.faults;

/** Decides what happens to each request. Asked by many threads. */
@FunctionalInterface
public interface FaultPlan {
    FaultPlan NONE = _ -> new Fault.None();

    Fault next(Head request);
}
