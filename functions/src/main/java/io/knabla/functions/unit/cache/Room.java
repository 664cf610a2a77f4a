package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Makes room in a cache, one process at a time, so that two never count the same bytes as theirs. */
public final class Room {
    /** Somebody began to use what was to go; so often it is worth another look. */
    private static final int ATTEMPTS = 5;

    private final CacheFolder cache;
    private final Optional<String> setting;
    private final LongSupplier clock;

    /** How room was made, or why not. */
    public sealed interface Answer {}

    /** There is room, and {@code Reservation} was run while nobody else could take it. */
    public record Made(int evicted) implements Answer {}

    /** @param inUse bytes of the cache that cannot go now */
    public record NoRoom(long needed, long inUse, CacheBound bound) implements Answer {}

    /** Takes the room that there is, by files of their final length. */
    @FunctionalInterface
    public interface Reservation {
        void run() throws IOException;
    }

    /**
     * @param clock milliseconds since 1970
     * @param setting of {@link CacheBound#SETTING}
     * @throws IllegalArgumentException when it says no size
     */
    public Room(CacheFolder cache, Optional<String> setting, LongSupplier clock) {
        this.cache = cache;
        this.setting = setting;
        this.clock = clock;
        setting.ifPresent(CacheBound::parse);
    }

    public Answer make(long needed, Reservation reservation) throws IOException {
        try (NodeLock _ = NodeLock.take(cache.lock("room"))) {
            Answer answer = new NoRoom(needed, 0, new CacheBound(0, ""));
            int evicted = 0;
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Inventory inventory = Inventory.take(cache, FileTime.fromMillis(clock.getAsLong()));
                CacheBound bound = CacheBound.decide(setting, disk(inventory));
                switch (Eviction.decide(inventory.items(), inventory.bytes(), needed, bound.bytes())) {
                    case Eviction.Fits() -> {
                        reservation.run();
                        return new Made(evicted);
                    }
                    case Eviction.Refused(long inUse) -> {
                        return new NoRoom(needed, inUse, bound);
                    }
                    case Eviction.Evict(var items) -> {
                        answer = new NoRoom(needed, inventory.total(), bound);
                        for (Eviction.Item item : items) {
                            Inventory.remove(cache, item);
                        }
                        evicted += items.size();
                    }
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
