package io.knabla.controller;

import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.cluster.ClusterView;
import io.knabla.controller.cluster.FunctionLogs;
import io.knabla.controller.cluster.engine.EngineRunner;
import io.knabla.controller.deploy.FunctionResources;
import io.knabla.controller.deploy.FunctionStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Selects the beans of the local or of the Kubernetes platform; the others are never instantiated. */
@ApplicationScoped
class Sides {
    private final ClusterKind kind;

    Sides(Settings settings) {
        kind = settings.cluster().kind();
    }

    @Produces
    @Singleton
    ClusterView view(@Any Instance<ClusterView> sides) {
        return mine(sides);
    }

    @Produces
    @Singleton
    FunctionStatus status(@Any Instance<FunctionStatus> sides) {
        return mine(sides);
    }

    @Produces
    @Singleton
    FunctionResources resources(@Any Instance<FunctionResources> sides) {
        return switch (kind) {
            case Local -> FunctionResources.None.NONE;
            case Knative -> mine(sides);
        };
    }

    @Produces
    @Singleton
    EngineRunner engine(@Any Instance<EngineRunner> sides) {
        return mine(sides);
    }

    @Produces
    @Singleton
    FunctionLogs logs(@Any Instance<FunctionLogs> sides) {
        return mine(sides);
    }

    private <T> T mine(Instance<T> sides) {
        return sides.select(new On.Literal(kind)).get();
    }
}
