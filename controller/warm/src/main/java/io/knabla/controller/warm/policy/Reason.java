package io.knabla.controller.warm.policy;

/** Why a {@link Decision} was made. */
public enum Reason {
    /** The policy keeps no idle replica. */
    NEVER,
    /** The policy keeps every replica; only a memory budget evicts it. */
    ALWAYS,
    /** A fixed time after the last request. */
    FIXED_TIME,
    /** Too little is known of the function; a default time is used. */
    TOO_FEW_OBSERVATIONS,
    /** The idle times have no peak that a forecast could rest on; a default time is used. */
    NOT_REPRESENTATIVE,
    /** Most idle times are longer than the histogram; a time series forecast is used. */
    OUT_OF_BOUNDS,
    /** Percentiles of the histogram of idle times. */
    HISTOGRAM,
    /** The next tick of the function's timer. */
    TIMER,
    /** A class of the function's idle times: idle in hardly any minute. */
    ALWAYS_BUSY,
    /** A class of the function's idle times: all alike. */
    REGULAR,
    /** A class of the function's idle times: a few lengths cover nearly all. */
    NEARLY_REGULAR,
    /** A class of the function's idle times: nearly all are short. */
    DENSE,
    /** A class of the function's idle times: long runs of requests. */
    SUCCESSIVE,
    /** A class of the function's idle times: short bursts. */
    PULSED,
    /** A class of the function's idle times: some lengths are more frequent than others. */
    POSSIBLE,
    /** A quantile of exponential arrivals. */
    QUANTILE,
    /** A request is expected soon enough to be worth the memory. */
    WORTH_KEEPING,
    /** A request is expected later; a replica is started ahead of it. */
    WORTH_PRE_WARMING,
    /** No time is likely enough to be worth the memory. */
    NOT_WORTH_KEEPING,
    /** Other functions need the platform's memory for warm replicas more. */
    OVER_BUDGET
}
