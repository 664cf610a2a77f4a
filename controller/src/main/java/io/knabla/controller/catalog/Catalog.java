package io.knabla.controller.catalog;

import java.util.List;
import java.util.Optional;

/** Stores functions and their versions; each change is one conditional write, retried after a conflict. */
public interface Catalog {
    /** Returns the cached state; a change of another controller may be missing for a moment. */
    Optional<FunctionRecord> find(FunctionId id);

    /** Reads the current state from the store, for decisions that cannot be undone. */
    Optional<FunctionRecord> readFromStore(FunctionId id);

    /** The cached functions; while {@link #isLoaded} is false, some or all may be missing. */
    List<FunctionRecord> list();

    /**
     * Whether all functions were read since this controller started. Until then nothing may be deleted or overwritten
     * because {@link #list} lacks a function.
     */
    boolean isLoaded();

    /** Functions whose documents cannot be used, each with a remedy; all others stay available. */
    List<CatalogException> troubles();

    /** Changes a function, or creates it when {@code change} receives empty. {@code change} may run more than once. */
    FunctionRecord update(FunctionId id, Change change);

    /** Returns whether the function existed. */
    boolean delete(FunctionId id);

    /** Calls the listener after every change that this controller made or noticed, on the thread that did. */
    void onChange(Listener listener);

    /** Computes the new record from the current one. */
    @FunctionalInterface
    interface Change {
        FunctionRecord apply(Optional<FunctionRecord> current);
    }

    /** Notified when a function changed or, with empty, was deleted. */
    @FunctionalInterface
    interface Listener {
        void changed(FunctionId id, Optional<FunctionRecord> now);

        /** Notified when the document of a function turns out to be damaged: it is neither deleted nor what it was. */
        default void damaged(FunctionId id, CatalogException why) {}
    }
}
