package io.knabla.storage.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.history.Call.Outcome;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the recorded history and its round trip through a file. */
class RecordingStoreTest {
    private static final ObjectKey KEY = ObjectKey.of("watched");

    @TempDir
    Path folder;

    @Test
    void recordsOperationsAndRoundTripsThemThroughAFile() throws IOException {
        var shared = new MemoryObjectStore();
        var one = new RecordingStore(shared, KEY, "one");
        var two = new RecordingStore(shared, KEY, "two");
        one.read(KEY);
        String first = one.createOnce(KEY, content("a")).orElseThrow();
        two.createOnce(KEY, content("b"));
        String same = two.read(KEY).orElseThrow().etag();
        two.replaceIfMatch(KEY, same, content("c"));
        one.replaceIfMatch(KEY, first, content("d"));
        one.write(ObjectKey.of("other"), content("x"));

        List<Operation> all = new ArrayList<>(one.history());
        all.addAll(two.history());
        Histories.write(folder.resolve("history"), all);

        assertThat(one.history()).hasSize(3);
        assertThat(two.history()).hasSize(3);
        assertThat(Histories.read(folder.resolve("history"))).isEqualTo(all);
        assertThat(LinearizabilityChecker.check("", all)).isInstanceOf(Verdict.Linearizable.class);
        assertThat(all.getLast().call())
                .isInstanceOfSatisfying(
                        Call.Swap.class, swap -> assertThat(swap.outcome()).isEqualTo(Outcome.WON));
        assertThatThrownBy(() -> one.write(KEY, content("y"))).hasMessageContaining("only be written conditionally");
    }

    private static Content content(String text) {
        return Content.of(text.getBytes());
    }
}
