package io.knabla.runtime.inference;

import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.protocol.SharedMemory;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.shm.SharedRegions;
import java.nio.file.Path;

/**
 * Decides which shared memory a request may use: the regions that its gateway names, or, on a replica without a gateway
 * whose settings allow it, those that were registered here.
 */
final class SharedMemoryHandler {
    private static final Path OBJECTS = Path.of("/dev/shm");

    private final boolean behindGateway;
    private final boolean open;
    private final int most;

    /** Both are made on first use, to keep them out of every cold start. */
    private SharedRegions registered;

    private MappedRegions mapped;

    SharedMemoryHandler(ReplicaSettings settings) {
        // Only the gateway knows the token, and it drops the header of its own clients.
        behindGateway = !settings.token().isEmpty();
        most = settings.maxBodyBytes();
        open = !behindGateway && settings.sharedMemory();
    }

    /** Whether regions can be registered here. */
    boolean isOpen() {
        return open;
    }

    boolean handles(String path) {
        return open && SharedRegions.handles(path);
    }

    HttpResponse answer(HttpRequest request) {
        return registered().answer(request.path(), request);
    }

    private synchronized SharedRegions registered() {
        if (registered == null) {
            registered = new SharedRegions();
        }
        return registered;
    }

    private synchronized MappedRegions mapped() {
        if (mapped == null) {
            mapped = new MappedRegions(OBJECTS, most);
        }
        return mapped;
    }

    SharedMemory of(HttpRequest request) {
        String header = behindGateway ? request.header(SharedRegions.HEADER) : null;
        if (header != null) {
            return mapped().of(SharedRegions.ofHeader(header));
        }
        return open ? mapped().of(registered()) : SharedMemory.NONE;
    }
}
