package io.knabla.controller.local.liveness;

/** Outcome of one health probe. */
enum ProbeResult {
    ANSWERED,
    /** It answered that a run of its engine is stuck. */
    STUCK,
    /** No answer, and it neither used a CPU nor waited for one meanwhile. */
    STALLED,
    /** No answer, but it used a CPU meanwhile, or waited for one. */
    BUSY,
    /** No answer, but the controller itself was late, so the miss proves nothing. */
    UNDECIDED
}
