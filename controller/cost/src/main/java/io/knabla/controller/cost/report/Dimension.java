package io.knabla.controller.cost.report;

/** What a report's rows stand for. */
public enum Dimension {
    FUNCTION,
    NAMESPACE,
    VERSION,
    /** Kind of hardware. */
    POOL,
    /** How the nodes were bought, in every scenario: the rows stay the same, only their prices differ. */
    CAPACITY,
    ZONE,
    /** Calendar months of a time zone. */
    MONTH,
    /** Days of a time zone; 23 or 25 hours long when its clocks change. */
    DAY,
    /** Hours of a time zone's clocks. */
    HOUR;

    /** Whether a row has nothing but the work and the cost of one function. */
    boolean isOfOneFunction() {
        return this == FUNCTION || this == VERSION;
    }
}
