package io.knabla.controller.cost.scenario;

/** Offers under which the same usage is priced. */
public enum Scenario {
    /** Each node as it was bought. */
    AS_IT_RAN,
    /** Each node on demand. */
    ALL_ON_DEMAND,
    /** Each node on spot, at its zone's prices; what interruptions add is stated or measured. */
    ALL_SPOT,
    /** Each request on Lambda. GPUs only at a rate that the user declares. */
    PER_USE,
    /** Each replica as a Fargate task. */
    FARGATE,
    /** Each replica as a task on Fargate Spot. */
    FARGATE_SPOT,
    /** Instances committed for one year, the others on demand. */
    COMMITTED_1Y,
    /** Instances committed for three years, the others on demand. */
    COMMITTED_3Y,
    /** As it ran, and one replica of each function at all times since its first. */
    ALWAYS_WARM
}
