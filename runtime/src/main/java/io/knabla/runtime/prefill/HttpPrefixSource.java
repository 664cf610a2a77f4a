package io.knabla.runtime.prefill;

import io.knabla.functions.unit.generation.KeyValueDigest;
import io.knabla.runtime.generation.PrefixSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Fetches keys and values (KV cache) of prompts from the replicas of another function over HTTP. */
public final class HttpPrefixSource implements PrefixSource {
    private final PrefillAddress address;
    private final KeyValueDigest keyValues;
    private final Duration deadline;
    private final Set<HttpPrefixFetch> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param deadline of a fetch, after which the prompt is read here */
    public HttpPrefixSource(PrefillAddress address, KeyValueDigest keyValues, Duration deadline) {
        this.address = address;
        this.keyValues = keyValues;
        this.deadline = deadline;
    }

    @Override
    public Runnable fetch(int[] prompt, int first, Supplier<List<ByteBuffer>> room, Consumer<Fetched> done) {
        var fetch = new HttpPrefixFetch(address, keyValues, deadline);
        running.add(fetch);
        if (closed) {
            fetch.cancel();
        }
        Thread.ofVirtual().name("prefix-fetch").start(() -> {
            Fetched fetched = Fetched.FAILED;
            try {
                fetched = fetch.run(prompt, first, room);
            } finally {
                running.remove(fetch);
                done.accept(fetched);
            }
        });
        return fetch::cancel;
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(HttpPrefixFetch::cancel);
    }
}
