package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Where people's wishes are kept besides the catalog: on a cluster the {@code Function} resources, on a laptop nowhere.
 */
public interface FunctionResources {
    /** What would refuse the resource, before anything is done for it; empty when nothing would. */
    List<Fault> faults(FunctionResource resource);

    void write(FunctionResource resource);

    /** Whether they alone say where requests go: the catalog then follows, by the one who reads them. */
    boolean sayTraffic();

    /**
     * Changes where a function's requests shall go, and waits a moment for the catalog to follow.
     *
     * @param change from the wish as it is to what it shall be; may be asked again
     * @return what is wished now; empty where no resource says it, so that the catalog does
     */
    Optional<List<TrafficTarget>> changeTraffic(FunctionId id, UnaryOperator<List<TrafficTarget>> change);

    /** Answers whether there was something to delete. */
    boolean delete(FunctionId id);

    /** For a platform where the catalog says all. */
    enum None implements FunctionResources {
        NONE;

        @Override
        public List<Fault> faults(FunctionResource resource) {
            return List.of();
        }

        @Override
        public void write(FunctionResource resource) {}

        @Override
        public boolean sayTraffic() {
            return false;
        }

        @Override
        public Optional<List<TrafficTarget>> changeTraffic(FunctionId id, UnaryOperator<List<TrafficTarget>> change) {
            return Optional.empty();
        }

        @Override
        public boolean delete(FunctionId id) {
            return false;
        }
    }
}
