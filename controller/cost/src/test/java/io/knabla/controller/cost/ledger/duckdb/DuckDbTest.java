package io.knabla.controller.cost.ledger.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

class DuckDbTest {
    /** What the work threw on a virtual thread. */
    private static Throwable onVirtualThread(ThrowableAssert.ThrowingCallable work) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        work.call();
                    } catch (Throwable failed) {
                        thrown.set(failed);
                    }
                })
                .join();
        return thrown.get();
    }

    @Test
    void refusesAVirtualThread() throws Exception {
        assertThat(onVirtualThread(() -> DuckDb.open(new Properties())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("virtual thread");
        try (DuckDb database = DuckDb.open(new Properties())) {
            assertThat(onVirtualThread(database::statement)).isInstanceOf(IllegalStateException.class);
            assertThat(onVirtualThread(() -> database.prepare("SELECT 1"))).isInstanceOf(IllegalStateException.class);
            assertThat(onVirtualThread(database::duplicate)).isInstanceOf(IllegalStateException.class);
            assertThat(onVirtualThread(database::close)).isInstanceOf(IllegalStateException.class);
            assertThat(database.statement().execute("SELECT 1")).isTrue();
        }
    }
}
