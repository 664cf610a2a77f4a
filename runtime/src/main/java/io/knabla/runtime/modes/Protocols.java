package io.knabla.runtime.modes;

import io.knabla.runtime.inference.InferenceProtocols;
import io.knabla.runtime.openai.OpenAiEndpoints;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.ReplicaState;
import java.util.ArrayList;
import java.util.List;

/** Lists the protocols that replicas speak, whatever their units hold: a replica listens before it knows its unit. */
final class Protocols {
    private Protocols() {}

    static Replica replica(ReplicaSettings settings) {
        var state = new ReplicaState(settings);
        List<Endpoints> protocols = new ArrayList<>();
        // First, because both know the path of a list of models.
        protocols.add(new OpenAiEndpoints(state));
        protocols.addAll(InferenceProtocols.of(state));
        return new Replica(state, protocols);
    }
}
