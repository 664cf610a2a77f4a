package io.knabla.controller.api;

import io.knabla.controller.catalog.Catalog;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Readiness check that counts the functions whose catalog documents are damaged. It is ready all the same, because all
 * other functions are available. Their names need a token, and readiness does not.
 */
@Readiness
@Singleton
class CatalogReady implements HealthCheck {
    private final Catalog catalog;

    CatalogReady(Catalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("catalog")
                .up()
                .withData("damaged", catalog.troubles().size())
                .build();
    }
}
