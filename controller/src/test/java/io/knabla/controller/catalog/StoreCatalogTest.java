package io.knabla.controller.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.catalog.CatalogException.Kind;
import io.knabla.functions.spec.FunctionDefaults;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.Content;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import io.knabla.storage.file.FileObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCatalogTest {
    private static final FunctionId ID = new FunctionId("default", "digits");
    private static final Digest DIGEST = new Digest("sha256:" + "a".repeat(64));

    @TempDir
    Path folder;

    private ObjectStore store;
    private ObjectStore otherStore;
    private StoreCatalog catalog;
    private StoreCatalog other;

    @BeforeEach
    void open() {
        // Two stores on one folder simulate two controllers.
        store = Stores.open(folder.toUri().toString());
        otherStore = Stores.open(folder.toUri().toString());
        catalog = new StoreCatalog(store, new Random(1));
        other = new StoreCatalog(otherStore, new Random(2));
    }

    @AfterEach
    void close() {
        store.close();
        otherStore.close();
    }

    private static Version version(int number) {
        return new Version(number, FunctionDefaults.inference(DIGEST.value()), DIGEST, DIGEST, Instant.EPOCH);
    }

    private static FunctionRecord next(FunctionId id, Optional<FunctionRecord> current) {
        List<Version> versions =
                new ArrayList<>(current.map(FunctionRecord::versions).orElse(List.of()));
        versions.add(version(versions.isEmpty() ? 1 : versions.getLast().number() + 1));
        return new FunctionRecord(id, versions, List.of(), "");
    }

    private static FunctionRecord deploy(StoreCatalog catalog) {
        return catalog.update(ID, current -> next(ID, current));
    }

    @Test
    void readsBackARecord() {
        FunctionRecord written = catalog.update(
                ID,
                _ -> new FunctionRecord(
                        ID,
                        List.of(version(1), version(2)),
                        List.of(new TrafficTarget(1, 90), new TrafficTarget(2, 10)),
                        ""));
        assertThat(catalog.find(ID)).contains(written);
        assertThat(other.find(ID)).contains(written);
    }

    @Test
    void keepsOneLinearHistoryUnderConcurrentWriters() throws Exception {
        int deploys = 60;
        Callable<FunctionRecord> here = () -> deploy(catalog);
        Callable<FunctionRecord> there = () -> deploy(other);
        List<Integer> numbers = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            var work = IntStream.range(0, deploys)
                    .mapToObj(i -> i % 2 == 0 ? here : there)
                    .toList();
            for (var done : threads.invokeAll(work)) {
                numbers.add(done.get().latest().number());
            }
        }
        var all = IntStream.rangeClosed(1, deploys).boxed().toList();
        assertThat(numbers).containsExactlyInAnyOrderElementsOf(all);
        other.refresh();
        assertThat(other.find(ID).orElseThrow().versions())
                .extracting(Version::number)
                .containsExactlyElementsOf(all);
    }

    @Test
    void notifiesOnceOfAnotherControllersChange() {
        List<String> heard = new ArrayList<>();
        other.onChange(
                (id, now) -> heard.add(now.map(r -> "v" + r.latest().number()).orElse("gone")));
        deploy(catalog);
        other.refresh();
        other.refresh();
        deploy(catalog);
        other.refresh();
        catalog.delete(ID);
        other.refresh();
        other.refresh();
        assertThat(heard).containsExactly("v1", "v2", "gone");
        assertThat(other.list()).isEmpty();
    }

    @Test
    void notifiesOwnChangesDespiteAFailingListener() {
        List<String> heard = new ArrayList<>();
        catalog.onChange((id, now) -> {
            throw new IllegalStateException("a listener's bug");
        });
        catalog.onChange((id, now) -> heard.add(id + " " + now.isPresent()));
        deploy(catalog);
        assertThat(catalog.delete(ID)).isTrue();
        assertThat(heard).containsExactly("default/digits true", "default/digits false");
    }

    @Test
    void restartsAtVersionOneAfterDelete() {
        deploy(catalog);
        deploy(catalog);
        assertThat(other.delete(ID)).isTrue();
        assertThat(other.delete(ID)).isFalse();
        assertThat(deploy(catalog).latest().number()).isEqualTo(1);
    }

    @Test
    void writesNothingWithoutAChange() {
        FunctionRecord written = deploy(catalog);
        FunctionRecord same = catalog.update(ID, Optional::orElseThrow);
        assertThat(same.etag()).isEqualTo(written.etag());
    }

    @Test
    void reportsADamagedDocumentWithARemedy() throws IOException {
        deploy(catalog);
        FunctionId bad = new FunctionId("default", "bad");
        store.write(StoreCatalog.key(bad), content("{\"schema\": 1, \"versions\": [{}]}"));
        catalog.refresh();
        assertThat(catalog.list()).extracting(FunctionRecord::id).containsExactly(ID);
        assertThat(catalog.troubles())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble)
                        .hasMessageContaining("catalog/functions/default/bad.json")
                        .hasMessageContaining("deploy it again"));
        assertThatThrownBy(() -> catalog.find(bad)).isInstanceOf(CatalogException.class);
        assertThatThrownBy(() -> catalog.update(bad, c -> next(bad, c))).isInstanceOf(CatalogException.class);
        assertThat(catalog.delete(bad)).isTrue();
        assertThat(catalog.update(bad, c -> next(bad, c)).latest().number()).isEqualTo(1);
    }

    /** To take a damaged document for a deletion would delete what belongs to the function. */
    @Test
    void listenersLearnThatADocumentIsDamagedAndLaterThatItIsWholeOrDeleted() throws IOException {
        deploy(catalog);
        byte[] good = store.read(StoreCatalog.key(ID)).orElseThrow().bytes();
        List<String> told = new ArrayList<>();
        catalog.onChange(new Catalog.Listener() {
            @Override
            public void changed(FunctionId id, Optional<FunctionRecord> now) {
                told.add(now.isPresent() ? "changed" : "deleted");
            }

            @Override
            public void damaged(FunctionId id, CatalogException why) {
                told.add("damaged " + why.function());
            }
        });
        store.write(StoreCatalog.key(ID), content("{"));
        catalog.refresh();
        catalog.refresh();
        assertThat(told).containsExactly("damaged " + ID);
        store.delete(StoreCatalog.key(ID));
        catalog.refresh();
        store.write(StoreCatalog.key(ID), Content.of(good));
        catalog.refresh();
        assertThat(told).containsExactly("damaged " + ID, "changed");
        store.write(StoreCatalog.key(ID), Content.of(new byte[good.length]));
        catalog.refresh();
        assertThat(catalog.delete(ID)).isTrue();
        assertThat(told).containsExactly("damaged " + ID, "changed", "damaged " + ID, "deleted");
    }

    @Test
    void aFolderInPlaceOfADocumentKeepsOnlyItsFunctionFromBeingUsed(@TempDir Path elsewhere) throws IOException {
        try (FileObjectStore files = FileObjectStore.open(elsewhere)) {
            StoreCatalog ofFiles = new StoreCatalog(files, new Random(3));
            deploy(ofFiles);
            FunctionId bad = new FunctionId("default", "bad");
            ofFiles.update(bad, current -> next(bad, current));
            Path document = files.localPath(StoreCatalog.key(bad)).orElseThrow();
            Path aside = elsewhere.resolve("aside");
            Files.move(document, aside);
            Files.createDirectory(document);

            StoreCatalog restarted = new StoreCatalog(files, new Random(4));
            restarted.refresh();
            assertThat(restarted.list()).extracting(FunctionRecord::id).containsExactly(ID);
            assertThat(restarted.troubles())
                    .extracting(CatalogException::function)
                    .containsExactly(bad);
            assertThatThrownBy(() -> restarted.find(bad)).hasMessageContaining(document + " is a folder");
            assertThatThrownBy(() -> restarted.delete(bad))
                    .isInstanceOfSatisfying(
                            CatalogException.class,
                            error -> assertThat(error.kind()).isEqualTo(Kind.UNREADABLE));

            Files.delete(document);
            Files.move(aside, document);
            restarted.refresh();
            assertThat(restarted.list()).extracting(FunctionRecord::id).containsExactlyInAnyOrder(ID, bad);
        }
    }

    @Test
    void refusesToOverwriteANewerSchema() throws IOException {
        String newer = "{\"schema\": 2, \"future\": true}";
        store.write(StoreCatalog.key(ID), content(newer));
        assertThatThrownBy(() -> catalog.find(ID))
                .isInstanceOfSatisfying(
                        CatalogException.class,
                        error -> assertThat(error.kind()).isEqualTo(Kind.NEWER))
                .hasMessageContaining("Update Knabla");
        assertThatThrownBy(() -> catalog.delete(ID)).isInstanceOf(CatalogException.class);
        assertThat(store.read(StoreCatalog.key(ID)).orElseThrow().bytes())
                .isEqualTo(newer.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void limitsTheHistoryButKeepsVersionsWithTraffic() {
        var versions = IntStream.rangeClosed(1, 105)
                .mapToObj(StoreCatalogTest::version)
                .toList();
        var traffic = List.of(new TrafficTarget(2, 50), new TrafficTarget(105, 50));
        FunctionRecord kept = VersionHistory.bounded(new FunctionRecord(ID, versions, traffic, ""), 100);
        assertThat(kept.versions()).hasSize(100).contains(versions.get(1)).contains(versions.getLast());
        assertThat(kept.versions()).doesNotContain(versions.get(0), versions.get(2), versions.get(5));
        assertThat(kept.versions()).contains(versions.get(6));
    }

    @Test
    void isLoadedOnceAllWasRead() {
        deploy(other);
        var answers = new AtomicBoolean();
        var starting = new StoreCatalog(
                new ForwardingStore(store) {
                    @Override
                    public Optional<StoredObject> read(ObjectKey key) {
                        if (answers.get()) {
                            return super.read(key);
                        }
                        throw new StorageException(StorageException.Kind.UNAVAILABLE, "no answer.", "");
                    }
                },
                new Random(3));
        assertThatThrownBy(starting::refresh).isInstanceOf(StorageException.class);
        assertThat(starting.isLoaded()).isFalse();

        answers.set(true);
        starting.refresh();
        assertThat(starting.isLoaded()).isTrue();
    }

    private static Content content(String text) {
        return Content.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void cachesAbsentNamesUntilTheNextRefresh() {
        var saving = new StoreCatalog(otherStore, new Random(3), 1);
        FunctionId second = new FunctionId("default", "second");
        assertThat(saving.find(ID)).isEmpty();
        assertThat(saving.find(second)).isEmpty();
        deploy(catalog);
        catalog.update(second, current -> next(second, current));

        assertThat(saving.find(ID)).isEmpty();
        assertThat(saving.find(second)).as("more than are remembered").isPresent();
        assertThat(saving.readFromStore(ID)).as("as the store has it now").isPresent();
        assertThat(saving.find(ID)).isPresent();

        FunctionId third = new FunctionId("default", "third");
        assertThat(saving.find(third)).isEmpty();
        catalog.update(third, current -> next(third, current));
        saving.refresh();
        assertThat(saving.find(third)).isPresent();
    }

    @Test
    void findsTheCachedAndReadsTheCurrentRecord() {
        deploy(catalog);
        assertThat(other.find(ID)).isPresent();
        catalog.delete(ID);
        assertThat(other.find(ID)).isPresent();
        assertThat(other.readFromStore(ID)).isEmpty();
        assertThat(other.find(ID)).isEmpty();
    }
}
