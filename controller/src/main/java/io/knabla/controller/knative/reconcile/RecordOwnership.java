package io.knabla.controller.knative.reconcile;

import io.knabla.controller.catalog.FunctionRecord;

/**
 * Decides which Function owns a record of the catalog. A new cluster on an old store takes over its records, with
 * versions and trained weights. A Function that is created again in the same cluster does not: its predecessor was
 * deleted there.
 *
 * @param cluster identity of this cluster; empty if unknown
 */
record RecordOwnership(String cluster) {
    String ownerOf(String uid) {
        return prefix() + uid;
    }

    boolean isOwnedByAnother(FunctionRecord record, String uid) {
        return !isUnowned(record) && record.owner().filter(ownerOf(uid)::equals).isEmpty();
    }

    /** Whether no Function of this cluster owns it: deploys through the API and older controllers write no uid. */
    boolean isUnowned(FunctionRecord record) {
        return record.owner().filter(owner -> owner.startsWith(prefix())).isEmpty();
    }

    /** Sets this Function as owner if the record has none. */
    FunctionRecord claim(FunctionRecord record, String uid) {
        return isUnowned(record) ? record.ownedBy(ownerOf(uid)) : record;
    }

    private String prefix() {
        return cluster + "/";
    }
}
