package io.knabla.functions.unit.cache;

import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What gives way when room is needed: the least recently used, and no more than must. No clock, no disk. */
final class Eviction {
    /**
     * Something that can only go as a whole.
     *
     * @param files what it keeps on the disk; items may share some, which go with the last of them
     */
    record Item(String name, FileTime lastUse, boolean inUse, Set<Object> files) {}

    sealed interface Decision {}

    /** There is room. */
    record Fits() implements Decision {}

    /** There is room when these have gone, in the order of their last use. */
    record Evict(List<Item> items) implements Decision {}

    /** @param inUse bytes that cannot go */
    record Refused(long inUse) implements Decision {}

    private static final Comparator<Item> OLDEST_FIRST =
            Comparator.comparing(Item::lastUse).thenComparing(Item::name);

    private final Map<Object, Long> bytes;
    private final long most;

    private Eviction(Map<Object, Long> bytes, long most) {
        this.bytes = bytes;
        this.most = most;
    }

    /**
     * @param bytes what each file costs; 0 for one that is on the disk anyway
     * @param needed bytes for which room is wanted
     * @param bound bytes that all may have together
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

    /** One that shares its files with others that stay frees nothing, and so it stays too. */
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
