package io.knabla.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares a store with a sorted map on random sequences of operations. */
public abstract class ObjectStoreModelContract {
    enum Verb {
        WRITE,
        CREATE,
        REPLACE_NOW,
        REPLACE_STALE,
        DELETE,
        LIST
    }

    record Operation(Verb verb, String key, String value) {}

    /** Returns a new, empty store. */
    protected abstract ObjectStore create() throws IOException;

    /** Returns whether the server can store both {@code a} and {@code a/b}; some S3 servers cannot. */
    protected boolean holdsEveryKey() {
        return true;
    }

    @Provide
    Arbitrary<List<Operation>> operations() {
        // Few names with common prefixes, so keys collide; '-' and '.' sort before '/'.
        Arbitrary<String> segment = Arbitraries.of("a", "b", "A", "a-b", "a.b", "_");
        Arbitrary<String> key = segment.list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(parts -> String.join("/", parts) + (holdsEveryKey() ? "" : ".leaf"));
        return Combinators.combine(
                        Arbitraries.of(Verb.class),
                        key,
                        Arbitraries.strings().alpha().ofMaxLength(8))
                .as(Operation::new)
                .list()
                .ofMaxSize(30);
    }

    @Property(tries = 60)
    void behavesLikeASortedMap(@ForAll("operations") List<Operation> operations) throws IOException {
        try (ObjectStore store = create()) {
            Model model = new Model(store);
            for (Operation operation : operations) {
                model.apply(operation);
            }
            model.checkAll();
        }
    }

    private static final class Model {
        private final ObjectStore store;
        private final TreeMap<String, String> values = new TreeMap<>();
        private final Map<String, String> etags = new HashMap<>();
        private final Map<String, String> stale = new HashMap<>();
        private int operations;

        Model(ObjectStore store) {
            this.store = store;
        }

        void apply(Operation random) throws IOException {
            // Equal bytes may have equal etags, so every value is unique.
            String value = random.value() + ++operations;
            Operation operation = new Operation(random.verb(), random.key(), value);
            ObjectKey key = ObjectKey.of(operation.key());
            Content content = Content.of(operation.value().getBytes(UTF_8));
            switch (operation.verb()) {
                case WRITE -> accept(operation, Optional.of(store.write(key, content)), true);
                case CREATE -> accept(operation, store.createOnce(key, content), !values.containsKey(operation.key()));
                case REPLACE_NOW ->
                    accept(
                            operation,
                            store.replaceIfMatch(key, etags.getOrDefault(operation.key(), "none"), content),
                            values.containsKey(operation.key()));
                case REPLACE_STALE ->
                    accept(
                            operation,
                            store.replaceIfMatch(key, stale.getOrDefault(operation.key(), "none"), content),
                            false);
                case DELETE -> {
                    assertThat(store.delete(key)).isEqualTo(values.remove(operation.key()) != null);
                    retire(operation.key());
                }
                case LIST -> checkList(operation.key());
            }
        }

        private void accept(Operation operation, Optional<String> etag, boolean expected) {
            assertThat(etag.isPresent()).as("%s", operation).isEqualTo(expected);
            if (expected) {
                retire(operation.key());
                values.put(operation.key(), operation.value());
                etags.put(operation.key(), etag.orElseThrow());
            }
        }

        private void retire(String key) {
            String old = etags.remove(key);
            if (old != null) {
                stale.put(key, old);
            }
        }

        private void checkList(String prefix) {
            try (Stream<ObjectInfo> infos = store.list(prefix)) {
                assertThat(infos.map(info -> info.key().path()))
                        .isEqualTo(values.keySet().stream()
                                .filter(key -> key.startsWith(prefix))
                                .toList());
            }
        }

        void checkAll() {
            checkList("");
            values.forEach((path, value) -> {
                StoredObject stored = store.read(ObjectKey.of(path)).orElseThrow();
                assertThat(new String(stored.bytes(), UTF_8)).isEqualTo(value);
                assertThat(stored.etag()).isEqualTo(etags.get(path));
            });
        }
    }
}
