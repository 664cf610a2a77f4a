package io.knabla.storage.thorough;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** Counts the tries that jqwik makes of a property. */
class FewerTriesTest {
    private static final int TRIES = 500;
    private static final AtomicInteger MADE = new AtomicInteger();

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE)
    void isTried(@ForAll long any) {
        MADE.incrementAndGet();
    }

    @AfterContainer
    static void oftenOnlyIfThorough() {
        assertThat(MADE).hasValue(Boolean.getBoolean("knabla.thorough") ? TRIES : 100);
    }
}
