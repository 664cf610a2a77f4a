package io.knabla.controller.cluster.local;

import io.knabla.controller.Home;
import io.knabla.controller.On;
import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.FunctionLogs;
import jakarta.inject.Singleton;

/** Opens the log files below the home, also those of ended replicas. */
@Singleton
@On(ClusterKind.Local)
final class LogFiles implements FunctionLogs {
    private final Home home;

    LogFiles(Home home) {
        this.home = home;
    }

    @Override
    public Reading of(FunctionId function) {
        return new LogFolder(home.logs().resolve(function.namespace()).resolve(function.name()));
    }
}
