package io.knabla.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.UnitAssignment;
import io.knabla.storage.Content;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AssignmentsTest {
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final AtomicLong now = new AtomicLong();
    private final Assignments assignments = new Assignments(store, "team", now::get);

    private void write(String unit) throws IOException {
        store.write(
                UnitAssignment.key("team", "digits"),
                Content.of(new UnitAssignment(Map.of("KNABLA_UNIT", unit)).bytes()));
    }

    @Test
    void readsAgainAfterAWhile() throws IOException {
        assertThat(assignments.of("digits")).isEmpty();
        write("one");
        assertThat(assignments.of("digits").orElseThrow().environment()).containsEntry("KNABLA_UNIT", "one");
        write("two");
        assertThat(assignments.of("digits").orElseThrow().environment()).containsEntry("KNABLA_UNIT", "one");
        now.addAndGet(3_000_000_000L);
        assertThat(assignments.of("digits").orElseThrow().environment()).containsEntry("KNABLA_UNIT", "two");
    }
}
