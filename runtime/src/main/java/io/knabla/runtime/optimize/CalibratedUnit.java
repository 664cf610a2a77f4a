package io.knabla.runtime.optimize;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.calibrate.CacheScales;
import io.knabla.storage.Content;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures the scales of a decoder's 8-bit keys and values, and replaces the unit's calibration graph by them. */
final class CalibratedUnit {
    private CalibratedUnit() {}

    /**
     * Writes the unit with the scales; a unit that needs none, or has them, stays as it is.
     *
     * @param folder of the materialised unit
     */
    static Digest write(UnitStore units, Path folder, FileManifest manifest) throws IOException {
        Map<String, Blob> files = new LinkedHashMap<>(manifest.files());
        if (files.remove(GenerationSettings.CALIBRATION_GRAPH) != null) {
            byte[] scales = CacheScales.measure(folder);
            var blob = new Blob(Sha256.of(scales), scales.length);
            units.writeBlob(blob, Content.of(scales));
            files.put(GenerationSettings.CACHE_SCALES, blob);
        }
        return units.write(new FileManifest(manifest.type(), files));
    }
}
