package io.knabla.controller.gc;

import io.knabla.controller.gc.Mark.Judged;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Deletes garbage kind by kind, in the order of {@link Kind}, while the lock is held. */
final class Sweep {
    /** Objects deleted between two checks of the lock in the store. */
    private static final int BATCH = 64;

    private final ObjectStore store;
    private final Crew crew;
    private final Ticker ticker;

    Sweep(ObjectStore store, Crew crew, Ticker ticker) {
        this.store = store;
        this.crew = crew;
        this.ticker = ticker;
    }

    /**
     * @param turn stops after this time: waiting deploys proceed
     * @param deleted receives the deleted objects, even if this throws
     * @return whether all garbage is deleted
     */
    boolean run(List<Judged> garbage, Flag lock, Duration turn, List<Judged> deleted) {
        Ticker.Moment began = ticker.now();
        List<Judged> gone = Collections.synchronizedList(deleted);
        for (List<Judged> batch : batches(garbage)) {
            if (ticker.since(began).compareTo(turn) > 0) {
                return false;
            }
            lock.confirm();
            crew.each(batch, one -> {
                lock.check();
                if (store.delete(one.object().key())) {
                    gone.add(one);
                }
            });
        }
        return true;
    }

    /** A batch has one kind only: a kind starts after all objects of the previous kind are deleted. */
    private static List<List<Judged>> batches(List<Judged> garbage) {
        List<List<Judged>> batches = new ArrayList<>();
        for (Judged one : garbage) {
            List<Judged> last = batches.isEmpty() ? List.of() : batches.getLast();
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
