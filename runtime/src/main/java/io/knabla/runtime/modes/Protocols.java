package io.knabla.runtime.modes;

import io.knabla.runtime.inference.InferenceProtocols;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.ReplicaState;

/** Lists the protocols that replicas speak, whatever their units hold: a replica listens before it knows its unit. */
final class Protocols {
    private Protocols() {}

    static Replica replica(ReplicaSettings settings) {
        var state = new ReplicaState(settings);
        return new Replica(state, InferenceProtocols.of(state));
    }
}
