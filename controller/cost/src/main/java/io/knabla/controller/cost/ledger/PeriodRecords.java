package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.RowFormatException;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the rows of a period one by one, of each record the highest revision. */
final class PeriodRecords implements PeriodVisitor, AutoCloseable {
    private final ParquetFiles files;
    private final ParquetEngine.Factory parquet;
    private final Path folder;
    private final Instant from;
    private final Instant until;
    private final LatestRecords rows = new LatestRecords();
    /** Opened at the first file: a reading without Parquet files does not load the database. */
    private ParquetEngine engine;

    PeriodRecords(ObjectStore store, ParquetEngine.Factory parquet, Path folder, Instant from, Instant until) {
        this.files = new ParquetFiles(store);
        this.parquet = parquet;
        this.folder = folder;
        this.from = from;
        this.until = until;
    }

    @Override
    public void add(SegmentName segment, List<UsageRecord> more) {
        more.forEach(rows::add);
    }

    /** The file's bytes are those that the manifest names, so only their meaning can be damaged. */
    @Override
    public synchronized Optional<LedgerDamage> add(Hour hour, RecordKind kind, ParquetFile file) throws IOException {
        Path local = folder.resolve("read.parquet");
        Optional<LedgerDamage> damage = files.download(file, local);
        if (damage.isPresent()) {
            return damage;
        }
        String key = file.key().path();
        try {
            engine().read(kind, local, this::addFromFile);
            return Optional.empty();
        } catch (RowFormatException bad) {
            return Optional.of(new LedgerDamage(key, LedgerDamage.Type.CORRUPT, bad.getMessage()));
        } catch (IOException failed) {
            throw new IOException("the usage in %s cannot be read: %s".formatted(key, failed.getMessage()), failed);
        }
    }

    @Override
    public boolean takesDays() {
        return false;
    }

    @Override
    public boolean add(Map<RecordKind, ParquetFile> ofDay) {
        return false;
    }

    private ParquetEngine engine() throws IOException {
        engine = engine == null ? parquet.open(folder) : engine;
        return engine;
    }

    private void addFromFile(UsageRecord row) {
        if (row.overlaps(from, until) || rows.contains(row)) {
            rows.add(row);
        }
    }

    Collection<UsageRecord> rows() {
        return rows.rows();
    }

    @Override
    public void close() throws IOException {
        if (engine != null) {
            engine.close();
        }
    }
}
