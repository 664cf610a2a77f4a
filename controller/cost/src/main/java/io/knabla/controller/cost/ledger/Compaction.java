package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import java.util.List;

/**
 * What a compaction did.
 *
 * @param hoursMerged hours whose manifest was replaced
 * @param segmentsDeleted segments that manifests already named
 * @param damages what was left because it could not be read
 */
public record Compaction(int hoursMerged, int segmentsDeleted, List<LedgerDamage> damages) {
    public Compaction {
        damages = List.copyOf(damages);
    }
}
