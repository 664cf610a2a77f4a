package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.serving.v1.RevisionTemplateSpec;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.knative.manifest.Observed.Seen;
import io.knabla.controller.cluster.knative.manifest.SlotPlan.Share;

/** The revision that a version should have in one capacity slot. */
record Wanted(Version version, Share share, RevisionTemplateSpec template) {
    String name() {
        return template.getMetadata().getName();
    }

    /** Whether the revision is of this version and slot: the desired one or an earlier one. */
    boolean isServedBy(Seen revision) {
        return version.number() == revision.version() && share.slot().equals(revision.slot());
    }
}
