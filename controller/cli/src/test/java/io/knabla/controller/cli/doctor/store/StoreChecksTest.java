package io.knabla.controller.cli.doctor.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.doctor.Finding;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreChecksTest {
    private static final Duration PLENTY = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void acceptsFolder() throws InterruptedException {
        try (ObjectStore store = Stores.open(folder.toUri())) {
            assertThat(examine(store))
                    .noneMatch(finding -> finding.grade() == Grade.bad)
                    .extracting(Finding::check)
                    .contains("write", "race to create", "race to replace", "latency", "bandwidth");
            try (Stream<ObjectInfo> left = store.list("")) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void namesMissingPermission() throws InterruptedException {
        ObjectStore readOnly = new FaultyStore() {
            @Override
            public String write(ObjectKey key, Content content) {
                throw new StorageException("AccessDenied", null);
            }

            @Override
            public String location() {
                return "s3://bucket/some";
            }
        };

        List<Finding> findings = examine(readOnly);

        Finding write = of(findings, "write");
        assertThat(write.grade()).isEqualTo(Grade.bad);
        assertThat(write.found()).isEqualTo("s3:PutObject fails: AccessDenied");
        assertThat(write.fix()).contains("./knabla doctor --store s3://bucket/some --policy");
        assertThat(of(findings, "read").grade()).isEqualTo(Grade.good);
        assertThat(of(findings, "conditions, speed").found()).contains("not tried");
    }

    @Test
    void rejectsIgnoredConditions() throws InterruptedException {
        List<Finding> findings = examine(new FaultyStore() {
            @Override
            public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
                return Optional.of(write(key, content));
            }

            @Override
            public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
                return Optional.of(write(key, content));
            }
        });

        assertThat(of(findings, "if absent").found()).contains("overwrites an object");
        assertThat(of(findings, "if unchanged").found()).contains("writes although there is no object");
        assertThat(of(findings, "race to create").found())
                .isEqualTo("of 16 concurrent writers that created one key, 16 got a success response");
        assertThat(findings)
                .filteredOn(finding -> finding.check().matches("if .*|race .*"))
                .hasSize(4)
                .allMatch(finding -> finding.grade() == Grade.bad)
                .allMatch(finding -> finding.fix().contains("do not use this server"));
    }

    @Test
    void rejectsLostContentOfWinner() throws InterruptedException {
        List<Finding> findings = examine(new FaultyStore() {
            @Override
            public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
                Optional<String> etag = super.createOnce(key, content);
                if (etag.isEmpty() && key.path().contains("race")) {
                    write(key, content);
                }
                return etag;
            }
        });

        assertThat(of(findings, "race to create").found())
                .isEqualTo("the content of the writer that won is not stored");
    }

    @Test
    void rejectsStaleLists() throws InterruptedException {
        List<Finding> findings = examine(new FaultyStore() {
            @Override
            public Stream<ObjectInfo> list(String prefix) {
                return super.list(prefix).filter(info -> !info.key().path().contains("/fresh-"));
            }
        });

        assertThat(of(findings, "freshness").grade()).isEqualTo(Grade.bad);
        assertThat(of(findings, "freshness").found()).contains("a list after a write");
    }

    @Test
    void givesUpOnHangingStore() throws InterruptedException {
        var never = new CountDownLatch(1);
        ObjectStore hanging = new FaultyStore() {
            @Override
            public String write(ObjectKey key, Content content) throws IOException {
                try {
                    never.await();
                } catch (InterruptedException stopped) {
                    throw new IOException(stopped);
                }
                return super.write(key, content);
            }
        };

        List<Finding> findings =
                new StoreChecks(hanging, "id", Duration.ZERO, Duration.ofSeconds(5), _ -> {}).findings();

        assertThat(of(findings, "write").found()).isEqualTo("no answer in time");
        assertThat(of(findings, "read").grade()).isEqualTo(Grade.good);
        never.countDown();
    }

    @Test
    void reportsObjectsThatCannotBeDeleted() throws InterruptedException {
        List<Finding> findings = examine(new FaultyStore() {
            @Override
            public boolean delete(ObjectKey key) {
                return key.path().endsWith("operations") && super.delete(key);
            }
        });

        assertThat(of(findings, "cleaned up").grade()).isEqualTo(Grade.poor);
        assertThat(of(findings, "cleaned up").found()).contains("are left below doctor/id");
    }

    @Test
    void acceptsMemoryStore() throws InterruptedException {
        assertThat(examine(new MemoryObjectStore())).noneMatch(finding -> finding.grade() == Grade.bad);
    }

    static List<Finding> examine(ObjectStore store) throws InterruptedException {
        return new StoreChecks(store, "id", PLENTY, _ -> {}).findings();
    }

    static Finding of(List<Finding> findings, String check) {
        return findings.stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError(check + " is not among " + findings));
    }
}
