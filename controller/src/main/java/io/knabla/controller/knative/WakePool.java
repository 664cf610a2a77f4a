package io.knabla.controller.knative;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.functions.unit.UnitAssignment;
import java.util.Optional;
import java.util.function.Consumer;

/** Port of the wake pools: one in each namespace that opted in, which answers for its functions without pods. */
public interface WakePool {
    /** No namespace has a pool. */
    WakePool NONE = new WakePool() {
        @Override
        public Optional<State> of(FunctionId function) {
            return Optional.empty();
        }

        @Override
        public void assign(FunctionId function, UnitAssignment assignment) {}

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    };

    /**
     * The pool of a function's namespace.
     *
     * @param ready whether it takes requests
     * @param calledOften whether the function was called so often lately that pods of its own are worth their start, or
     *     could not be served
     * @param memberBytes largest memory of a function in it
     */
    record State(boolean ready, boolean calledOften, long memberBytes) {}

    /** Empty if the namespace has none. */
    Optional<State> of(FunctionId function);

    /** Stores what the pool needs to serve the function; must be done before requests go there. */
    void assign(FunctionId function, UnitAssignment assignment);

    /**
     * Calls the listener after {@link #of} changed for a function.
     *
     * @return removes the listener
     */
    Runnable onChange(Consumer<FunctionId> listener);
}
