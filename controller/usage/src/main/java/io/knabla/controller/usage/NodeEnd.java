package io.knabla.controller.usage;

/** Why a node's interval ended. */
public enum NodeEnd {
    RUNNING,
    /** Its user gave it back. */
    RELEASED,
    /** The provider took it back. */
    INTERRUPTED
}
