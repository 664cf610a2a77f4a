package io.knabla.controller.api;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports ready when the object store answers: without it nothing can be deployed or started. */
@Readiness
@Singleton
class StoreReady implements HealthCheck {
    private final ObjectStore store;

    StoreReady(ObjectStore store) {
        this.store = store;
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("store").withData("location", store.location());
        try {
            store.stat(ObjectKey.of("catalog", "probe"));
            return answer.up().build();
        } catch (StorageException outage) {
            return answer.down().withData("reason", outage.getMessage()).build();
        }
    }
}
