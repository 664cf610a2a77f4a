package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Records the outcomes it receives. */
final class RecordingRequest implements QueuedRequest {
    final List<String> words = new ArrayList<>();
    private final InetAddress client;
    private final boolean small;

    RecordingRequest() {
        this(InetAddress.getLoopbackAddress(), true);
    }

    RecordingRequest(InetAddress client, boolean small) {
        this.client = client;
        this.small = small;
    }

    @Override
    public InetAddress client() {
        return client;
    }

    @Override
    public boolean isSmall() {
        return small;
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
