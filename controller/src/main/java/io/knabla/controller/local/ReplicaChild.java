package io.knabla.controller.local;

import io.knabla.controller.platform.Replica;
import java.io.BufferedReader;

/**
 * The process of one replica, and whether it was started for it or came from the pool.
 *
 * @param events its standard output
 * @param cleanUp to be called when it has ended
 */
record ReplicaChild(Process process, BufferedReader events, Replica.Start start, Runnable cleanUp) {
    boolean isPooled() {
        return switch (start) {
            case COLD -> false;
            case POOLED -> true;
        };
    }
}
