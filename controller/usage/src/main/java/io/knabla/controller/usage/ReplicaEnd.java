package io.knabla.controller.usage;

/** Why a replica's interval ended. */
public enum ReplicaEnd {
    RUNNING,
    STOPPED,
    FAILED,
    /** The provider took its node back. */
    INTERRUPTED
}
