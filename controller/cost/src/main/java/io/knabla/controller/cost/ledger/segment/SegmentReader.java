package io.knabla.controller.cost.ledger.segment;

import java.util.List;
import java.util.Optional;

/** Reads segments, also those that are being written. */
public interface SegmentReader {
    /** Names of the segments that exist, and as damage the names of what lies among them and is none. */
    Listing list();

    /** Contents of a segment; empty if it was merged and deleted. */
    Optional<SegmentContents> read(SegmentName name);

    /** @param names oldest first */
    record Listing(List<SegmentName> names, List<LedgerDamage> damages) {
        public Listing {
            names = List.copyOf(names);
            damages = List.copyOf(damages);
        }
    }
}
