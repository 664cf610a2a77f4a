package io.knabla.controller.catalog;

import java.util.List;
import java.util.Optional;

/** Functions and versions; every change is one conditional write, retried on a lost race. */
public interface Catalog {
    Optional<FunctionRecord> find(FunctionId id);

    /** As {@link #find}, but as the store has it now: what others changed a moment ago counts too. */
    Optional<FunctionRecord> look(FunctionId id);

    List<FunctionRecord> list();

    /**
     * Changes a function, or creates it where {@code change} is handed empty. {@code change} may run
     * more than once.
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
