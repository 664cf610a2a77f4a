package io.knabla.controller.knative.usage;

import io.knabla.controller.usage.Work;
import java.util.Optional;

/**
 * Work of a pod's killed containers that only an earlier controller measured. Killed ones leave no termination message,
 * so this controller finds it as what the ledger has of the whole pod, less what it knows itself. Pure.
 *
 * @param work theirs, or less
 * @param recorded work of all runs as it is recorded; empty after the run that goes on was measured
 */
record EarlierRuns(Work work, Optional<Work> recorded) {
    static final EarlierRuns NONE = new EarlierRuns(Work.NONE, Optional.empty());

    EarlierRuns recorded(Work all) {
        return new EarlierRuns(work, Optional.of(all));
    }

    /**
     * Takes for theirs what is recorded and not known, so nothing is counted twice: what the run that goes on did since
     * the record hides as much of their work.
     *
     * @param known work of all other runs; the one that goes on was measured after {@link #recorded(Work)}
     */
    EarlierRuns measured(Work known) {
        return recorded.map(all -> new EarlierRuns(work.max(all.max(known).minus(known)), Optional.empty()))
                .orElse(this);
    }
}
