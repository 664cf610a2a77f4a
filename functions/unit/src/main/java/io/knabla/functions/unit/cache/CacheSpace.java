package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Evicts items until the needed bytes fit, then runs the caller's reservation, under a lock across processes. */
public final class CacheSpace {
    /** A process may start to use an item that was chosen for eviction; then the decision is made again. */
    private static final int ATTEMPTS = 5;

    private final CacheFolder cache;
    private final Optional<String> setting;
    private final LongSupplier clock;

    /** Result of a reservation. */
    public sealed interface Answer {}

    /** The space is reserved: {@code Reservation} ran while no other process could take it. */
    public record Reserved(int evicted) implements Answer {}

    /**
     * Not enough space; nothing is reserved.
     *
     * @param inUse bytes of the cache that cannot be evicted now
     */
    public record InsufficientSpace(long needed, long inUse, CacheBound bound) implements Answer {}

    /** Takes the free space by creating files in their final length. */
    @FunctionalInterface
    public interface Reservation {
        void run() throws IOException;
    }

    /**
     * @param clock milliseconds since 1970
     * @param setting value of {@link CacheBound#SETTING}
     * @throws IllegalArgumentException if the setting is not a size
     */
    public CacheSpace(CacheFolder cache, Optional<String> setting, LongSupplier clock) {
        this.cache = cache;
        this.setting = setting;
        this.clock = clock;
        setting.ifPresent(CacheBound::parse);
    }

    public Answer reserve(long needed, Reservation reservation) throws IOException {
        try (NodeLock _ = NodeLock.take(cache.lock("room"))) {
            Answer answer = new InsufficientSpace(needed, 0, new CacheBound(0, ""));
            int evicted = 0;
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Inventory inventory = Inventory.take(cache, FileTime.fromMillis(clock.getAsLong()));
                CacheBound bound = CacheBound.decide(setting, disk(inventory));
                Eviction.Decision decision =
                        Eviction.decide(inventory.items(), inventory.bytes(), needed, bound.bytes());
                // No switch: no AOT cache holds it, and a start would make it anew.
                if (decision instanceof Eviction.Fits) {
                    reservation.run();
                    return new Reserved(evicted);
                }
                if (decision instanceof Eviction.Refused(long inUse)) {
                    return new InsufficientSpace(needed, inUse, bound);
                }
                if (decision instanceof Eviction.Evict(var items)) {
                    answer = new InsufficientSpace(needed, inventory.total(), bound);
                    for (Eviction.Item item : items) {
                        Inventory.remove(cache, item);
                    }
                    evicted += items.size();
                }
            }
            return answer;
        }
    }

    private CacheBound.Disk disk(Inventory inventory) throws IOException {
        FileStore disk = Files.getFileStore(cache.path());
        return new CacheBound.Disk(disk.getTotalSpace(), disk.getUsableSpace(), inventory.total());
    }
}
