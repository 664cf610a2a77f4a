package io.knabla.controller.local.liveness;

/** Outcome of one health probe. */
enum ProbeResult {
    ANSWERED,
    /** It answered that a run of its engine is stuck. */
    STUCK,
    /** No answer, and it used no CPU meanwhile. */
    STALLED,
    /** No answer, but it used CPU meanwhile. */
    BUSY,
    /** No answer, but the controller itself was late, so the miss proves nothing. */
    UNDECIDED
}
