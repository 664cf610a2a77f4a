package io.knabla.controller.cost.pricelist;

import io.knabla.controller.price.LayeredBook;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.RowBook;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The prices that were refreshed into a store.
 *
 * @param damages what could not be read, with file and line; its prices are missing in the book
 */
public record RefreshedPrices(PriceBook book, List<String> damages) {
    /** Bytes that are read of all files. */
    private static final long MAX_BYTES = 128L << 20;

    /** Kinds whose names end so are asked only where no other has a price. */
    public static final String LAST_RESORT = "-savings-plans";

    public RefreshedPrices {
        damages = List.copyOf(damages);
    }

    /** @throws io.knabla.storage.StorageException if the store fails */
    public static RefreshedPrices read(ObjectStore store) {
        return read(store, MAX_BYTES);
    }

    /** @param maxBytes of all files; list prices come first, then the latest months of histories */
    static RefreshedPrices read(ObjectStore store, long maxBytes) {
        List<PriceRow> first = new ArrayList<>();
        List<PriceRow> last = new ArrayList<>();
        List<String> damages = read(
                store, maxBytes, (key, rows) -> (key.path().contains(LAST_RESORT + "/") ? last : first).addAll(rows));
        return new RefreshedPrices(new LayeredBook(List.of(new RowBook(first), new RowBook(last))), damages);
    }

    /**
     * Every price that can be read.
     *
     * @throws io.knabla.storage.StorageException if the store fails
     */
    public static List<PriceRow> rows(ObjectStore store) {
        List<PriceRow> all = new ArrayList<>();
        read(store, MAX_BYTES, (_, rows) -> all.addAll(rows));
        return all;
    }

    /** Returns what could not be read. */
    private static List<String> read(ObjectStore store, long maxBytes, BiConsumer<ObjectKey, List<PriceRow>> target) {
        PriceFiles files = new PriceFiles(store);
        List<String> damages = new ArrayList<>();
        long bytes = 0;
        for (ObjectInfo file : files.listByNeed()) {
            if (bytes + file.size() > maxBytes) {
                damages.add(
                        "%s: is not read, the files of prices have more than %d bytes".formatted(file.key(), maxBytes));
                continue;
            }
            PriceFiles.Found found = files.read(file.key());
            bytes += found.etag().isPresent() ? file.size() : 0;
            damages.addAll(found.damages());
            target.accept(file.key(), found.rows());
        }
        return damages;
    }
}
