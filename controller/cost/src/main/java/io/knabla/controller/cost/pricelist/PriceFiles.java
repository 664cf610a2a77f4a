package io.knabla.controller.cost.pricelist;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.knabla.controller.price.PriceRow;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Files of prices: {@code prices/KIND/REGION.jsonl}, and of a history {@code prices/KIND/REGION/YYYY-MM.jsonl} by the
 * month (UTC) in which a price began. The first line has the format's number and the file's version, which grows with
 * every write; each other line is a price.
 */
final class PriceFiles {
    static final String PREFIX = "prices/";

    /** A month of spot prices of a hundred instance types in six zones has about half of it. */
    static final long MAX_BYTES = 32L << 20;

    private static final String SUFFIX = ".jsonl";
    private static final Pattern MONTH = Pattern.compile("\\d{4}-\\d{2}\\.jsonl");
    private static final int FORMAT = 1;
    private static final int ATTEMPTS = 10;

    private final ObjectStore store;

    PriceFiles(ObjectStore store) {
        this.store = store;
    }

    private record Header(int format, long version) {}

    /**
     * What a file has.
     *
     * @param etag empty if there is no file
     * @param damages what cannot be read, with file and line
     * @param writable false if this version cannot write it without loss
     */
    record Found(List<PriceRow> rows, long version, Optional<String> etag, List<String> damages, boolean writable) {
        static final Found NOTHING = new Found(List.of(), 0, Optional.empty(), List.of(), true);

        private static Found unreadable(String damage) {
            return new Found(List.of(), 0, Optional.empty(), List.of(damage), false);
        }
    }

    static ObjectKey key(PriceSource source, PriceRow row) {
        String path = PREFIX + source.name() + "/" + source.region();
        return new ObjectKey(
                switch (row) {
                    case PriceRow.Spot spot ->
                        path + "/" + YearMonth.from(spot.time().start().atOffset(ZoneOffset.UTC)) + SUFFIX;
                    case PriceRow.OnDemand _,
                            PriceRow.SpotAverage _,
                            PriceRow.Committed _,
                            PriceRow.Lambda _,
                            PriceRow.Fargate _,
                            PriceRow.FargateSpot _,
                            PriceRow.ServerlessGpu _ -> path + SUFFIX;
                });
    }

    /** In order of their keys. */
    List<ObjectInfo> list(String below) {
        try (Stream<ObjectInfo> objects = store.list(PREFIX + below)) {
            return objects.filter(object -> object.key().path().endsWith(SUFFIX))
                    .toList();
        }
    }

    /** Files of list prices, then those of histories, the latest months first. */
    List<ObjectInfo> listByNeed() {
        List<ObjectInfo> all = list("").reversed();
        return Stream.concat(
                        all.stream().filter(file -> !isMonth(file)),
                        all.stream()
                                .filter(PriceFiles::isMonth)
                                .sorted(Comparator.comparing(PriceFiles::name).reversed()))
                .toList();
    }

    private static boolean isMonth(ObjectInfo file) {
        return MONTH.matcher(name(file)).matches();
    }

    private static String name(ObjectInfo file) {
        String path = file.key().path();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The files of one source. */
    List<ObjectInfo> list(PriceSource source) {
        return Stream.of(source.region() + SUFFIX, source.region() + "/")
                .flatMap(path -> list(source.name() + "/" + path).stream())
                .toList();
    }

    Found read(ObjectKey key) {
        long size = store.stat(key).map(ObjectInfo::size).orElse(0L);
        if (size > MAX_BYTES) {
            return Found.unreadable("%s: has %d bytes, but at most %d are read".formatted(key, size, MAX_BYTES));
        }
        try {
            return store.read(key).map(object -> decode(key, object)).orElse(Found.NOTHING);
        } catch (StorageException failed) {
            if (failed.isOfOneObject()) {
                return Found.unreadable("%s: %s".formatted(key, failed.getMessage()));
            }
            throw failed;
        }
    }

    private static Found decode(ObjectKey key, StoredObject object) {
        List<String> lines =
                new String(object.bytes(), StandardCharsets.UTF_8).lines().toList();
        List<PriceRow> rows = new ArrayList<>();
        List<String> damages = new ArrayList<>();
        Header header = header(lines, key, damages);
        if (header.format() > FORMAT) {
            return Found.unreadable("%s: has format %d, but this version reads up to %d; update Knabla"
                    .formatted(key, header.format(), FORMAT));
        }
        for (int i = 1; i < lines.size(); i++) {
            try {
                rows.add(PriceLine.read(lines.get(i)));
            } catch (JsonProcessingException | RuntimeException bad) {
                damages.add("%s, line %d: is no price: %s".formatted(key, i + 1, message(bad)));
            }
        }
        return new Found(rows, header.version(), Optional.of(object.etag()), damages, true);
    }

    private static Header header(List<String> lines, ObjectKey key, List<String> damages) {
        try {
            return PriceLine.JSON.readValue(lines.isEmpty() ? "" : lines.getFirst(), Header.class);
        } catch (JsonProcessingException bad) {
            damages.add("%s, line 1: is no header: %s".formatted(key, message(bad)));
            return new Header(FORMAT, 0);
        }
    }

    private static String message(Exception bad) {
        return bad instanceof JsonProcessingException json ? json.getOriginalMessage() : bad.getMessage();
    }

    /**
     * Adds prices to a file, also while others do. Lines that cannot be read are left out of the next version.
     *
     * @return what was wrong with the file
     */
    List<String> add(ObjectKey key, List<PriceRow> fresh) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Found found = read(key);
            if (!found.writable() || write(key, found, PriceHistory.merge(found.rows(), fresh))) {
                return found.damages();
            }
        }
        return List.of("%s: %d others wrote it at the same time".formatted(key, ATTEMPTS));
    }

    private boolean write(ObjectKey key, Found found, List<PriceRow> rows) {
        String text = Stream.concat(
                        Stream.of("{\"format\":%d,\"version\":%d}".formatted(FORMAT, found.version() + 1)),
                        rows.stream().map(PriceLine::write))
                .collect(Collectors.joining("\n", "", "\n"));
        Content content = Content.of(text.getBytes(StandardCharsets.UTF_8));
        try {
            Optional<String> written = found.etag().isPresent()
                    ? store.replaceIfMatch(key, found.etag().get(), content)
                    : store.createOnce(key, content);
            return written.isPresent();
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes in memory could not be read for " + key, impossible);
        }
    }
}
