package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Access to the {@code Function} resources of a cluster, which hold the desired state; on a laptop there are none. */
public interface FunctionResources {
    /** Faults for which the cluster would reject the resource, before any work is done; empty if valid. */
    List<Fault> faults(FunctionResource resource);

    /**
     * Writes it. Faults for which the cluster rejects it after all, such as a namespace that is going; empty if it is
     * there.
     */
    List<Fault> write(FunctionResource resource);

    /** Whether the resources alone define traffic; the operator then copies it to the catalog. */
    boolean ownsTraffic();

    /**
     * Changes the traffic split in a function's resource, and waits briefly for the catalog to follow.
     *
     * @param change computes the new split from the current one; may run more than once
     * @return the new split; empty if no resource defines it and the catalog decides
     */
    Optional<List<TrafficTarget>> changeTraffic(FunctionId id, UnaryOperator<List<TrafficTarget>> change);

    /** Returns whether the resource existed. */
    boolean delete(FunctionId id);

    /** Null object for a platform without resources. */
    enum None implements FunctionResources {
        NONE;

        @Override
        public List<Fault> faults(FunctionResource resource) {
            return List.of();
        }

        @Override
        public List<Fault> write(FunctionResource resource) {
            return List.of();
        }

        @Override
        public boolean ownsTraffic() {
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
