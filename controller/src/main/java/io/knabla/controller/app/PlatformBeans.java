package io.knabla.controller.app;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.FunctionLogs;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.platform.FunctionStatus;
import io.knabla.controller.platform.engine.EngineRunner;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Selects the beans of the local or of the Kubernetes platform; the others are never instantiated. */
@ApplicationScoped
class PlatformBeans {
    private final ClusterKind kind;

    PlatformBeans(Settings settings) {
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

    @Produces
    @Singleton
    UsageSource usage(@Any Instance<UsageSource> sides) {
        return mine(sides);
    }

    private <T> T mine(Instance<T> sides) {
        return sides.select(new ForPlatform.Literal(kind)).get();
    }
}
