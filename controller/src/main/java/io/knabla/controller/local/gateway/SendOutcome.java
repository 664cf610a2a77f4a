package io.knabla.controller.local.gateway;

/** How the sending of a request to a replica ended, from which the replica's condition is inferred. */
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
