package io.knabla.runtime.inference;

import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.protocol.LoadRequest;
import io.knabla.runtime.protocol.ProtocolException;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import io.knabla.runtime.serve.WholeBodyEndpoints;

/**
 * Answers for the server in the Open Inference Protocol: its metadata, and Triton's repository, which holds its one
 * model.
 */
final class ServerEndpoints extends WholeBodyEndpoints {
    private static final byte[] NOTHING = {'{', '}'};

    private final ReplicaState state;
    private final SharedMemoryHandler sharing;
    private final String loadPath;

    ServerEndpoints(ReplicaState state, SharedMemoryHandler sharing) {
        super(state);
        this.state = state;
        this.sharing = sharing;
        this.loadPath = ModelAction.LOAD.path(state.settings().model());
    }

    @Override
    public String method(String path) {
        if (path.equals(loadPath)) {
            return ModelAction.LOAD.method();
        }
        ServerAction action = ServerAction.of(path);
        return action == ServerAction.METADATA || action == ServerAction.INDEX ? action.method() : null;
    }

    @Override
    protected HttpResponse answerEarly(String path, HttpRequest request) {
        if (path.equals(loadPath)) {
            return null;
        }
        return HttpResponse.json(
                200,
                ServerAction.of(path) == ServerAction.INDEX
                        ? index()
                        : ProtocolResponses.server(version(), sharing.isOpen()));
    }

    private byte[] index() {
        var settings = state.settings();
        return ProtocolResponses.repository(settings.model(), settings.version(), state.isReady());
    }

    /** By now the model is loaded, which is all that can be asked for. */
    @Override
    protected HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers) {
        return load(request).withHeaders(headers.toHeaderLines());
    }

    private static HttpResponse load(HttpRequest request) {
        try {
            LoadRequest.check(request.body(), request.bodyLength());
            return HttpResponse.json(200, NOTHING);
        } catch (ProtocolException refused) {
            return InferenceError.of(refused.status(), refused.getMessage());
        }
    }

    private static String version() {
        String version = ServerEndpoints.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }
}
