package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Records the outcomes it receives. */
final class RecordingRequest implements QueuedRequest {
    final List<String> words = new ArrayList<>();
    private final InetAddress client;

    RecordingRequest() {
        this(InetAddress.getLoopbackAddress());
    }

    RecordingRequest(InetAddress client) {
        this.client = client;
    }

    @Override
    public InetAddress client() {
        return client;
    }

    @Override
    public void granted(Endpoint endpoint, boolean waitedForStart) {
        words.add(endpoint.replica.id() + (waitedForStart ? " after a start" : ""));
    }

    @Override
    public void refused(Unavailable trouble) {
        words.add(trouble.message());
    }
}
