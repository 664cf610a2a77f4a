package io.knabla.controller.catalog;

import java.util.List;
import java.util.Optional;

/** Functions and versions; every change is one conditional write, retried on a lost race. */
public interface Catalog {
    /** As this controller knows it; another one's change may be missing for a moment. */
    Optional<FunctionRecord> find(FunctionId id);

    /** As the store has it now: for decisions that cannot be taken back. */
    Optional<FunctionRecord> look(FunctionId id);

    List<FunctionRecord> list();

    /**
     * Changes a function, or creates it where {@code change} is handed empty. {@code change} may run more than once.
     */
    FunctionRecord update(FunctionId id, Change change);

    /** Answers whether there was something to delete. */
    boolean delete(FunctionId id);

    /** Called after every change that this controller made or noticed, on the caller's thread. */
    void onChange(Listener listener);

    /** From what is there to what shall be there. */
    @FunctionalInterface
    interface Change {
        FunctionRecord apply(Optional<FunctionRecord> current);
    }

    /** Hears that a function changed or (with empty) was deleted. */
    @FunctionalInterface
    interface Listener {
        void changed(FunctionId id, Optional<FunctionRecord> now);
    }
}
