package io.knabla.controller.api;

import io.knabla.controller.platform.ClusterView;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports ready when at least one node can run replicas. */
@Readiness
@Singleton
class ClusterReady implements HealthCheck {
    private final ClusterView cluster;

    ClusterReady(ClusterView cluster) {
        this.cluster = cluster;
    }

    @Override
    public HealthCheckResponse call() {
        int nodes = cluster.nodes().size();
        return HealthCheckResponse.named("cluster")
                .status(nodes > 0)
                .withData("nodes", nodes)
                .build();
    }
}
