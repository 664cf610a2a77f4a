package io.knabla.controller.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.models.ModelKeys;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Stores the provenance of each unit: the model it was packaged from, its analysis and its warnings. */
@Singleton
public final class UnitProvenance {
    private static final int REMEMBERED = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param model digest of the file that the unit was packaged from
     * @param files digests of the other input files, by their path in the spec
     * @param unitBytes of the unit's files; 0 in documents of older versions
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Origin(
            int schema,
            String model,
            Analysis analysis,
            List<String> warnings,
            Map<String, String> files,
            long unitBytes) {
        static final int SCHEMA = 1;

        public Origin {
            // Older documents lack the field.
            files = files == null ? Map.of() : Map.copyOf(files);
        }

        /** The same of another unit that was made from this one. */
        Origin ofUnit(UnitManifest unit) {
            return new Origin(schema, model, analysis, warnings, files, unit.bytes());
        }
    }

    private final ObjectStore store;
    private final Map<Digest, Origin> known = new ConcurrentHashMap<>();

    public UnitProvenance(ObjectStore store) {
        this.store = store;
    }

    /** Empty for a unit that no deploy created. */
    public Optional<Origin> of(Digest unit) {
        Origin remembered = known.get(unit);
        if (remembered != null) {
            return Optional.of(remembered);
        }
        Optional<Origin> read = store.read(ModelKeys.origin(unit)).flatMap(o -> parse(o.bytes()));
        read.ifPresent(origin -> remember(unit, origin));
        return read;
    }

    void write(Digest unit, Origin origin) {
        try {
            store.write(ModelKeys.origin(unit), Content.of(JSON.writeValueAsBytes(origin)));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
        remember(unit, origin);
    }

    private void remember(Digest unit, Origin origin) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        known.put(unit, origin);
    }

    /** Only informative: a damaged document counts as absent. */
    private static Optional<Origin> parse(byte[] bytes) {
        try {
            Origin origin = JSON.readValue(bytes, Origin.class);
            return origin.schema() == Origin.SCHEMA ? Optional.of(origin) : Optional.empty();
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }
}
