package io.knabla.controller.gc;

import io.knabla.controller.gc.Marker.ObjectDecision;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Deletes garbage kind by kind, in the order of {@link ObjectKind}, while the lock is held. */
final class Sweep {
    /** Objects deleted between two checks of the lock in the store. */
    private static final int BATCH = 64;

    private final ObjectStore store;
    private final Parallel parallel;
    private final ElapsedClock elapsedClock;

    Sweep(ObjectStore store, Parallel crew, ElapsedClock ticker) {
        this.store = store;
        this.parallel = crew;
        this.elapsedClock = ticker;
    }

    /**
     * @param turn stops after this time: waiting deploys proceed
     * @param deleted receives the deleted objects, even if this throws
     * @return whether all garbage is deleted
     */
    boolean run(List<ObjectDecision> garbage, CollectionLock lock, Duration turn, List<ObjectDecision> deleted) {
        ElapsedClock.Moment began = elapsedClock.now();
        List<ObjectDecision> gone = Collections.synchronizedList(deleted);
        for (List<ObjectDecision> batch : batches(garbage)) {
            if (elapsedClock.since(began).compareTo(turn) > 0) {
                return false;
            }
            lock.confirm();
            parallel.each(batch, one -> {
                lock.check();
                if (store.delete(one.object().key())) {
                    gone.add(one);
                }
            });
        }
        return true;
    }

    /** A batch has one kind only: a kind starts after all objects of the previous kind are deleted. */
    private static List<List<ObjectDecision>> batches(List<ObjectDecision> garbage) {
        List<List<ObjectDecision>> batches = new ArrayList<>();
        for (ObjectDecision one : garbage) {
            List<ObjectDecision> last = batches.isEmpty() ? List.of() : batches.getLast();
            if (last.isEmpty()
                    || last.size() >= BATCH
                    || !last.getFirst().kind().equals(one.kind())) {
                last = new ArrayList<>();
                batches.add(last);
            }
            last.add(one);
        }
        return batches;
    }
}
