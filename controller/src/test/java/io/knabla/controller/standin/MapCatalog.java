package io.knabla.controller.standin;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** In-memory catalog for tests. */
public class MapCatalog implements Catalog {
    private final Map<FunctionId, FunctionRecord> records = new ConcurrentHashMap<>();
    private final Map<FunctionId, CatalogException> troubles = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean loaded = true;

    public void put(FunctionRecord record) {
        update(record.id(), current -> record);
    }

    @Override
    public Optional<FunctionRecord> find(FunctionId id) {
        return Optional.ofNullable(records.get(id));
    }

    @Override
    public Optional<FunctionRecord> readFromStore(FunctionId id) {
        return find(id);
    }

    @Override
    public List<CatalogException> troubles() {
        return List.copyOf(troubles.values());
    }

    /** From now on the document of the function cannot be used, until it is put again. */
    public void damage(CatalogException trouble) {
        records.remove(trouble.function());
        troubles.put(trouble.function(), trouble);
        listeners.forEach(listener -> listener.damaged(trouble.function(), trouble));
    }

    @Override
    public List<FunctionRecord> list() {
        return List.copyOf(records.values());
    }

    @Override
    public boolean isLoaded() {
        return loaded;
    }

    public void loaded(boolean now) {
        loaded = now;
    }

    @Override
    public FunctionRecord update(FunctionId id, Change change) {
        troubles.remove(id);
        FunctionRecord now = records.compute(id, (key, old) -> change.apply(Optional.ofNullable(old)));
        listeners.forEach(listener -> listener.changed(id, Optional.of(now)));
        return now;
    }

    @Override
    public boolean delete(FunctionId id) {
        boolean existed = records.remove(id) != null;
        listeners.forEach(listener -> listener.changed(id, Optional.empty()));
        return existed;
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }
}
