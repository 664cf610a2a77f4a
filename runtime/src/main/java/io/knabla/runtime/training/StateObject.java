package io.knabla.runtime.training;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.runtime.engine.Checkpoints;
import io.knabla.runtime.engine.Tensor;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the state of one training function as one safetensors object, replaced after every step if its ETag is
 * unchanged. Its metadata holds the unit and the step count, so no two versions have equal bytes.
 */
public final class StateObject implements Checkpoints {
    /** Metadata key: number of steps that led to this state. */
    static final String STEP = "step";

    /** Metadata key: digest of the unit that took the last step. */
    static final String UNIT = "unit";

    private final ObjectStore store;
    private final ObjectKey key;
    private final Digest unit;
    private final TrainingSpec training;
    private final Path initial;

    /** ETag of the object last read or written; null while there is none. */
    private String etag;

    /** @param initial a safetensors file with the state before the first step */
    public StateObject(ObjectStore store, ObjectKey key, Digest unit, TrainingSpec training, Path initial) {
        this.store = store;
        this.key = key;
        this.unit = unit;
        this.training = training;
        this.initial = initial;
    }

    @Override
    public long load(List<Tensor> state) {
        // The ETag comes first: if the object is replaced before the read, the next save fails and the state is
        // reloaded.
        Optional<ObjectInfo> there = store.stat(key);
        etag = there.map(ObjectInfo::etag).orElse(null);
        if (there.isEmpty()) {
            InitialState.load(initial, state);
            return 0;
        }
        Optional<InputStream> content = store.open(key, ByteRange.ALL);
        if (content.isEmpty()) {
            throw new IllegalStateException("the state '%s' was deleted while it was read; start again".formatted(key));
        }
        try (InputStream in = content.get()) {
            return new StateReader(key, state).read(in);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read the state '" + key + "'", failed);
        }
    }

    @Override
    public boolean save(List<Tensor> state, long step) {
        var tensors = new ArrayList<Values>(state.size());
        for (int i = 0; i < state.size(); i++) {
            StateTensor spec = training.state().get(i);
            tensors.add(new Values(spec.tensor(), state.get(i).data()));
        }
        Content content = SafeTensors.content(tensors, Map.of(STEP, Long.toString(step), UNIT, unit.value()));
        try {
            Optional<String> written =
                    etag == null ? store.createOnce(key, content) : store.replaceIfMatch(key, etag, content);
            written.ifPresent(now -> etag = now);
            return written.isPresent();
        } catch (IOException impossible) {
            throw new UncheckedIOException("cannot read the state from memory", impossible);
        }
    }

    /** State that is kept in memory only, for trials. */
    public static Checkpoints inMemory(Path initial) {
        return new Checkpoints() {
            @Override
            public long load(List<Tensor> state) {
                if (!Files.exists(initial)) {
                    throw new IllegalStateException("there is no initial state at " + initial);
                }
                InitialState.load(initial, state);
                return 0;
            }

            @Override
            public boolean save(List<Tensor> state, long step) {
                return true;
            }
        };
    }
}
