package io.knabla.controller.gateway;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;

/** Reads the manifest of a unit; may take its time. */
@FunctionalInterface
public interface Manifests {
    UnitManifest read(Digest unit);
}
