package io.knabla.controller.warm.act;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.warm.live.LivePolicyState;
import io.knabla.controller.warm.live.StateDocument;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.util.Map;

/**
 * Stores what keep-warm policies learned, in one object of the store. Of controllers that share a store the last write
 * counts.
 */
final class WarmStates {
    static final ObjectKey KEY = new ObjectKey("warm/states");
    private static final System.Logger LOG = System.getLogger(WarmStates.class.getName());

    private final ObjectStore store;

    WarmStates(ObjectStore store) {
        this.store = store;
    }

    /**
     * Returns none if nothing was stored, or it cannot be read.
     *
     * @throws StorageException if the store fails
     */
    Map<String, LivePolicyState> read() {
        try {
            var stored = store.read(KEY);
            return stored.isEmpty() ? Map.of() : StateDocument.read(stored.get().bytes());
        } catch (IOException damaged) {
            return withoutHistory(damaged);
        } catch (StorageException failed) {
            if (failed.isOfOneObject()) {
                return withoutHistory(failed);
            }
            throw failed;
        }
    }

    private Map<String, LivePolicyState> withoutHistory(Exception damaged) {
        LOG.log(
                WARNING,
                "keep-warm starts without history: {0} in {1} cannot be read: {2}",
                KEY.path(),
                store.location(),
                damaged.getMessage());
        return Map.of();
    }

    /** Lost states cost starts, not data, so a failure is only logged. */
    synchronized void write(Map<String, LivePolicyState> states) {
        try {
            store.write(KEY, Content.of(StateDocument.write(states)));
        } catch (IOException | StorageException failed) {
            LOG.log(WARNING, "what keep-warm learned is not stored: {0}", failed.getMessage());
        }
    }
}
