package io.knabla.controller.cost.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.memory.MemoryObjectStore;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the ledger where DuckDB cannot be loaded. */
class LazyDatabaseTest {
    @TempDir
    Path temp;

    /** Appends, compacts an hour that runs, and reads segments: none of it needs the database. */
    public static final class WithoutParquet implements Consumer<Path> {
        @Override
        public void accept(Path temp) {
            TestClock clock = new TestClock(TestRows.FIVE);
            LedgerParts parts = new LedgerParts(new MemoryObjectStore(clock), clock, temp);
            parts.append(TestRows.running("a", TestRows.FIVE, 0));
            assertThat(parts.compact().hoursMerged()).isZero();
            assertThat(parts.retain().hours()).isZero();
            assertThat(parts.read().rows()).hasSize(1);
            assertThat(new Ledger(parts.segments()).unmerged().rows()).hasSize(1);
        }
    }

    /** Merges an hour. */
    public static final class WithParquet implements Consumer<Path> {
        @Override
        public void accept(Path temp) {
            TestClock clock = new TestClock(TestRows.FIVE);
            LedgerParts parts = new LedgerParts(new MemoryObjectStore(clock), clock, temp);
            parts.append(TestRows.running("a", TestRows.FIVE, 0));
            clock.set(TestRows.SIX);
            parts.compact();
        }
    }

    private static final class WithoutDuckDb extends URLClassLoader {
        WithoutDuckDb() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.duckdb.") || name.endsWith(".DuckDbEngine")) {
                throw new ClassNotFoundException(name + " is not to be loaded");
            }
            return super.loadClass(name, resolve);
        }
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(LazyDatabaseTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void run(Class<? extends Consumer<Path>> work) throws Exception {
        try (WithoutDuckDb loader = new WithoutDuckDb()) {
            Object loaded = loader.loadClass(work.getName()).getConstructor().newInstance();
            ((Consumer<?>) loaded).getClass().getMethod("accept", Path.class).invoke(loaded, temp);
        }
    }

    @Test
    void whatNeedsNoParquetFileDoesNotLoadTheDatabase() throws Exception {
        run(WithoutParquet.class);
    }

    @Test
    void aMergeDoes() {
        assertThatThrownBy(() -> run(WithParquet.class)).rootCause().hasMessageContaining("is not to be loaded");
    }
}
