package io.knabla.controller.local.gateway;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;

/** Reads the manifest of a unit; may block. */
@FunctionalInterface
public interface ManifestSource {
    UnitManifest read(Digest unit);
}
