package io.knabla.controller.api;

import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports ready when the object store answers: without it nothing can be deployed or started. */
@Readiness
@Singleton
class StoreReady implements HealthCheck {
    private final String location;
    private final StoreProbe probe;

    StoreReady(ObjectStore store) {
        this.location = store.location();
        this.probe = new StoreProbe(store, StoreProbe.PATIENCE, System::nanoTime);
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("store").withData("location", location);
        return probe.outage()
                .map(reason -> answer.down().withData("reason", reason).build())
                .orElseGet(() -> answer.up().build());
    }
}
