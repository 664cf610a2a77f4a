package io.knabla.controller.local.gateway;

/** Outcome of one attempt at a replica, from which the queue infers whether the replica works. */
enum SendOutcome {
    /** The replica sent a response of any status. */
    ANSWERED,
    /** The connection broke, the replica is stopping, or the client left. */
    UNANSWERED,
    /** No response came in time: the replica may hang, so its health is probed at once. */
    TIMED_OUT,
    /** It accepted no connection: it gets no more requests until a probe finds it healthy. */
    REFUSED
}
