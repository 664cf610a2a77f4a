package io.knabla.runtime.inference;

import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.ReplicaState;
import java.util.List;

/** Lists the protocols by which an {@link EngineModel} is called. */
public final class InferenceProtocols {
    private InferenceProtocols() {}

    /** All of them for one replica, the most called first. */
    public static List<Endpoints> of(ReplicaState state) {
        var statistics = new InferStatistics();
        var sharing = new SharedMemoryHandler(state.settings());
        return List.of(
                new OpenInferenceEndpoints(state, statistics, sharing),
                new ServerEndpoints(state, sharing),
                new PredictEndpoints(state, statistics),
                new TesseractEndpoints(state),
                new SharedMemoryEndpoints(state, sharing));
    }
}
