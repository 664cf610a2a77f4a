package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.RevisionTemplateSpec;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.manifest.ObservedObjects.RevisionState;
import io.knabla.controller.knative.manifest.PlacementPlan.Share;

/** The revision that a version should have in one capacity slot. */
record DesiredRevision(Version version, Share share, RevisionTemplateSpec template) {
    String name() {
        return template.getMetadata().getName();
    }

    /** Whether the revision is of this version and slot: the desired one or an earlier one. */
    boolean matchesVersionAndSlot(RevisionState revision) {
        return version.number() == revision.version() && share.slot().equals(revision.slot());
    }
}
