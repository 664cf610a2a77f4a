package io.knabla.functions.unit.cache;

import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides which items to evict: the least recently used, and no more than necessary. Pure: no clock, no disk. */
final class Eviction {
    /**
     * A unit or file that can only be evicted as a whole.
     *
     * @param files files that it keeps on disk; a shared file is freed with the last item that has it
     */
    record Item(String name, FileTime lastUse, boolean inUse, Set<Object> files) {}

    /** Fits, evict these items, or refused. */
    sealed interface Decision {}

    /** There is enough space. */
    record Fits() implements Decision {}

    /** There is enough space after these items are evicted, in the order of their last use. */
    record Evict(List<Item> items) implements Decision {}

    /**
     * Not enough space even if all unused items are evicted.
     *
     * @param inUse bytes that cannot be evicted
     */
    record Refused(long inUse) implements Decision {}

    /** No comparator of keys, which would be made anew at each start. */
    private static final Comparator<Item> OLDEST_FIRST = (one, other) -> {
        int order = one.lastUse().compareTo(other.lastUse());
        return order == 0 ? one.name().compareTo(other.name()) : order;
    };

    private final Map<Object, Long> bytes;
    private final long most;

    private Eviction(Map<Object, Long> bytes, long most) {
        this.bytes = bytes;
        this.most = most;
    }

    /**
     * @param bytes size of each file; 0 for one that something outside the cache keeps on disk
     * @param needed bytes to make space for
     * @param bound maximum bytes of all items
     */
    static Decision decide(List<Item> items, Map<Object, Long> bytes, long needed, long bound) {
        return new Eviction(bytes, bound - needed).decide(items);
    }

    private Decision decide(List<Item> items) {
        if (cost(items) <= most) {
            return new Fits();
        }
        List<Item> kept = new ArrayList<>(items);
        List<Item> gone = new ArrayList<>();
        for (Item next :
                items.stream().filter(i -> !i.inUse()).sorted(OLDEST_FIRST).toList()) {
            kept.remove(next);
            gone.add(next);
            if (cost(kept) <= most) {
                return new Evict(withoutNeedless(gone, kept));
            }
        }
        return new Refused(cost(kept));
    }

    /** Evicting an item that shares its files with remaining items frees nothing, so it is kept. */
    private List<Item> withoutNeedless(List<Item> gone, List<Item> kept) {
        var needed = new ArrayList<Item>(gone);
        for (Item last : gone.reversed()) {
            kept.add(last);
            if (cost(kept) <= most) {
                needed.remove(last);
            } else {
                kept.remove(last);
            }
        }
        return List.copyOf(needed);
    }

    private long cost(Collection<Item> items) {
        Set<Object> files = new HashSet<>();
        long sum = 0;
        for (Item item : items) {
            for (Object file : item.files()) {
                if (files.add(file)) {
                    sum += bytes.get(file);
                }
            }
        }
        return sum;
    }
}
