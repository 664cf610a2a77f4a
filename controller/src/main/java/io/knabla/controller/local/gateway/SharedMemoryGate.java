package io.knabla.controller.local.gateway;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.shm.SharedRegions;
import java.io.IOException;

/** Registers shared memory of clients on this machine, and names the regions to replicas. */
final class SharedMemoryGate {
    private static final int MOST_BODY = 4 << 10;

    private final boolean open;
    private final SharedRegions regions = new SharedRegions();

    SharedMemoryGate(boolean open) {
        this.open = open;
    }

    boolean isOpen() {
        return open;
    }

    HttpResponse answer(String path, HttpExchange http) throws IOException {
        if (!open || !http.client().isLoopbackAddress()) {
            return Answers.error(
                    501,
                    "shared memory is for clients on the platform's own machine, and off unless the platform is started with KNABLA_SHARED_MEMORY=true (sharedMemory: true in config.yaml)");
        }
        if (!http.request().method().equals(SharedRegions.method(path))) {
            return Answers.wrongMethod(
                    SharedRegions.method(path), http.request().method());
        }
        http.limitBody(MOST_BODY, "a registration is shorter");
        http.readBody(MOST_BODY);
        return regions.answer(path, http.request());
    }

    /** Header line with the regions that this client may use; empty for none. */
    String header(HttpExchange http) {
        String known = open && http.client().isLoopbackAddress() ? regions.header() : "";
        return known.isEmpty() ? "" : SharedRegions.HEADER + ": " + known + "\r\n";
    }
}
