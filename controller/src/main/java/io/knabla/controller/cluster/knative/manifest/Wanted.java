package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.serving.v1.RevisionTemplateSpec;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.knative.manifest.Observed.Seen;
import io.knabla.controller.cluster.knative.manifest.SlotPlan.Share;

/** A version in a slot, and the revision that it should be there. */
record Wanted(Version version, Share share, RevisionTemplateSpec template) {
    String name() {
        return template.getMetadata().getName();
    }

    /** Whether the revision is of this version and slot: the wanted one, or one before it. */
    boolean isServedBy(Seen revision) {
        return version.number() == revision.version() && share.slot().equals(revision.slot());
    }
}
