package io.knabla.controller.operator;

import io.knabla.controller.catalog.FunctionRecord;

/**
 * Whose a document of the catalog is. One of a cluster that is built anew on its old store takes up where the former
 * was, versions and trained weights and all; one that is made again in the same cluster is another, for the former was
 * deleted there.
 *
 * @param cluster what tells this cluster from others; empty where that cannot be known
 */
record Claims(String cluster) {
    String of(String uid) {
        return prefix() + uid;
    }

    boolean isAnothers(FunctionRecord record, String uid) {
        return !isOpen(record) && record.owner().filter(of(uid)::equals).isEmpty();
    }

    /** Of nobody in this cluster: a deploy knows no uid, and neither did older controllers. */
    boolean isOpen(FunctionRecord record) {
        return record.owner().filter(owner -> owner.startsWith(prefix())).isEmpty();
    }

    /** The same, of this Function where it was of nobody. */
    FunctionRecord claimed(FunctionRecord record, String uid) {
        return isOpen(record) ? record.ownedBy(of(uid)) : record;
    }

    private String prefix() {
        return cluster + "/";
    }
}
