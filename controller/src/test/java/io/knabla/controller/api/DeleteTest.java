package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DeleteTest {
    private final MapCatalog catalog = new MapCatalog();
    private final FunctionRecord former = Specs.inference().record("digits", Instant.EPOCH);
    private final FunctionRecord next = former.ownedBy("next");

    @Test
    void keepsTheDocumentOfANewerFunctionOfTheSameName() {
        catalog.put(former);

        assertThat(delete(new Cluster())).isEqualTo(204);

        assertThat(catalog.list()).containsExactly(next);
    }

    @Test
    void deletesAFunctionThatOnlyTheCatalogKnows() {
        catalog.put(former);

        assertThat(delete(FunctionResources.None.NONE)).isEqualTo(204);

        assertThat(catalog.list()).isEmpty();
    }

    private int delete(FunctionResources resources) {
        var lookup = new Lookup(catalog, null, null, null, null);
        try (var response = new FunctionsResource(null, catalog, resources, lookup)
                .delete(former.id().namespace(), former.id().name())) {
            return response.getStatus();
        }
    }

    /** A cluster where the same name is deployed again before the delete returns. */
    private final class Cluster implements FunctionResources {
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
            return true;
        }

        @Override
        public Optional<List<TrafficTarget>> changeTraffic(FunctionId id, UnaryOperator<List<TrafficTarget>> change) {
            return Optional.empty();
        }

        @Override
        public boolean delete(FunctionId id) {
            catalog.delete(id);
            catalog.put(next);
            return true;
        }
    }
}
