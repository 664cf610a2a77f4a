package io.knabla.controller.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Compares two store catalogs on one folder with a plain map. */
class StoreCatalogPropertyTest {
    private static final Digest DIGEST = new Digest("sha256:" + "b".repeat(64));

    /** One operation of a controller on one of three functions. */
    enum Act {
        DEPLOY,
        PIN,
        DELETE
    }

    /** For any sequence of operations, both controllers end in the state of a plain map. */
    @Property(tries = 30)
    void twoControllersAgreeWithAPlainMap(
            @ForAll @Size(max = 30) List<Act> acts,
            @ForAll @Size(value = 30) List<Boolean> who,
            @ForAll @Size(value = 30) List<@IntRange(max = 2) Integer> which)
            throws IOException {
        Path folder = Files.createTempDirectory("knabla-catalog");
        try (ObjectStore store = Stores.open(folder.toUri().toString())) {
            var one = new StoreCatalog(store, new Random(1));
            var two = new StoreCatalog(store, new Random(2));
            Map<String, Integer> expected = new TreeMap<>();
            for (int i = 0; i < acts.size(); i++) {
                FunctionId id = new FunctionId("default", "f" + which.get(i));
                StoreCatalog catalog = who.get(i) ? one : two;
                switch (acts.get(i)) {
                    case DEPLOY -> {
                        catalog.update(id, current -> next(id, current));
                        expected.merge(id.toString(), 1, Integer::sum);
                    }
                    case PIN -> {
                        if (expected.containsKey(id.toString())) {
                            catalog.update(id, current -> pinned(current.orElseThrow()));
                        }
                    }
                    case DELETE -> assertThat(catalog.delete(id)).isEqualTo(expected.remove(id.toString()) != null);
                }
            }
            one.refresh();
            two.refresh();
            assertThat(latest(one)).isEqualTo(expected);
            assertThat(two.list()).isEqualTo(one.list());
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    private static Map<String, Integer> latest(StoreCatalog catalog) {
        Map<String, Integer> latest = new TreeMap<>();
        catalog.list().forEach(r -> latest.put(r.id().toString(), r.latest().number()));
        return latest;
    }

    private static FunctionRecord next(FunctionId id, Optional<FunctionRecord> current) {
        List<Version> versions =
                new ArrayList<>(current.map(FunctionRecord::versions).orElse(List.of()));
        versions.add(new Version(
                versions.size() + 1, FunctionDefaults.inference(DIGEST.value()), DIGEST, DIGEST, Instant.EPOCH));
        return new FunctionRecord(id, versions, List.of(), "");
    }

    private static FunctionRecord pinned(FunctionRecord record) {
        return new FunctionRecord(record.id(), record.versions(), List.of(new TrafficTarget(1, 100)), record.etag());
    }
}
