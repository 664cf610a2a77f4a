package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;

/**
 * Where people's wishes are kept besides the catalog: on a cluster the {@code Function} resources,
 * on a laptop nowhere.
 */
public interface FunctionResources {
    /** What would refuse the resource, before anything is done for it; empty when nothing would. */
    List<Fault> faults(FunctionResource resource);

    void write(FunctionResource resource);

    void writeTraffic(FunctionId id, List<TrafficTarget> traffic);

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
        public void writeTraffic(FunctionId id, List<TrafficTarget> traffic) {}

        @Override
        public boolean delete(FunctionId id) {
            return false;
        }
    }
}
