package io.knabla.controller.gateway;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;

/** Reads the manifest of a unit; may block. */
@FunctionalInterface
public interface Manifests {
    UnitManifest read(Digest unit);
}
