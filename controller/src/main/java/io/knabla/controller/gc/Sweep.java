package io.knabla.controller.gc;

import io.knabla.controller.gc.Mark.Judged;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Deletes what was judged, kind by kind in their order, for as long as the flag is up. */
final class Sweep {
    /** So many between two looks at whether the flag is still ours in the store. */
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
     * @param turn after so long it stops, so that deploys that wait may go on
     * @param deleted takes what is gone, also when this ends with an exception
     * @return whether all of it is gone
     */
    boolean run(List<Judged> garbage, Flag flag, Duration turn, List<Judged> deleted) {
        Ticker.Moment began = ticker.now();
        List<Judged> gone = Collections.synchronizedList(deleted);
        for (List<Judged> batch : batches(garbage)) {
            if (ticker.since(began).compareTo(turn) > 0) {
                return false;
            }
            flag.confirm();
            crew.each(batch, one -> {
                flag.check();
                if (store.delete(one.object().key())) {
                    gone.add(one);
                }
            });
        }
        return true;
    }

    /** No batch has two kinds: the next kind must wait for the end of the one before. */
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
