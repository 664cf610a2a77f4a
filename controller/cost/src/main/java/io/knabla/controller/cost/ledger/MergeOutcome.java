package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import java.util.List;

/**
 * How the merge of an hour ended.
 *
 * @param replaced whether this run replaced the manifest
 * @param damages why it did not
 */
record MergeOutcome(boolean replaced, List<LedgerDamage> damages) {
    static final MergeOutcome REPLACED = new MergeOutcome(true, List.of());
    static final MergeOutcome UNCHANGED = new MergeOutcome(false, List.of());

    static MergeOutcome refused(LedgerDamage damage) {
        return new MergeOutcome(false, List.of(damage));
    }
}
