package io.knabla.controller.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.models.ModelKeys;
import io.knabla.controller.platform.engine.RowsVerdict;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Stores the result of the engine check of each unit that ran; one that passed is checked only once. */
@Singleton
public final class EngineVerdicts {
    private static final int REMEMBERED = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param gradientCheck deviation of the gradients from finite differences of the loss, as the replica measured it;
     *     null for a unit without gradients
     * @param rows whether rows of several requests may be joined; null if no function that joins them was deployed
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Check(int schema, String unit, String result, JsonNode gradientCheck, RowsVerdict rows) {
        static final int SCHEMA = 1;
        static final String WORKS = "works";

        /** It ran with a warning, so that the next deploy checks it again. */
        static final String WARNED = "warned";

        /** Whether this check need not be repeated. */
        boolean answers(boolean joins) {
            return result.equals(WORKS) && (!joins || rows != null);
        }
    }

    private final ObjectStore store;
    private final Map<Digest, Check> known = new ConcurrentHashMap<>();

    EngineVerdicts(ObjectStore store) {
        this.store = store;
    }

    /** Empty for a unit that was not checked. */
    public Optional<Check> of(Digest unit) {
        Check remembered = known.get(unit);
        if (remembered != null) {
            return Optional.of(remembered);
        }
        Optional<Check> read = store.read(ModelKeys.check(unit)).flatMap(o -> parse(o.bytes()));
        read.ifPresent(check -> remember(unit, check));
        return read;
    }

    void record(Digest unit, Optional<String> warning, Optional<JsonNode> gradientCheck, Optional<RowsVerdict> rows) {
        var check = new Check(
                Check.SCHEMA,
                unit.value(),
                warning.isEmpty() ? Check.WORKS : Check.WARNED,
                gradientCheck.orElse(null),
                rows.orElse(null));
        try {
            store.write(ModelKeys.check(unit), Content.of(JSON.writeValueAsBytes(check)));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
        remember(unit, check);
    }

    private void remember(Digest unit, Check check) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        known.put(unit, check);
    }

    /** A damaged document counts as absent: the unit is checked again. */
    private static Optional<Check> parse(byte[] bytes) {
        try {
            return Optional.ofNullable(JSON.readValue(bytes, Check.class))
                    .filter(check -> check.schema() == Check.SCHEMA);
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }
}
