package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StoredFunctionsTest {
    private final MemoryObjectStore store = new MemoryObjectStore();

    private void put(String key, String document) throws Exception {
        store.createOnce(new ObjectKey(key), Content.of(document.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatIsDeletedDoesNotCount() throws Exception {
        put("catalog/functions/default/a.json", "{\"schema\":1,\"deleted\":false,\"versions\":[]}");
        put("catalog/functions/default/b.json", "{\"deleted\":false,\"note\":\"" + "x".repeat(600) + "\"}");
        put("catalog/functions/default/gone.json", "{\"schema\":1,\"deleted\":true}");
        put("catalog/functions/default/damaged.json", "{");
        put("catalog/other.json", "{}");

        assertThat(StoredFunctions.count(store)).isEqualTo(3);
    }
}
