package io.knabla.controller.local;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.Home;
import io.knabla.controller.platform.FunctionLogs;
import jakarta.inject.Singleton;

/** Opens the log files below the home, also those of ended replicas. */
@Singleton
@ForPlatform(ClusterKind.Local)
final class LocalFunctionLogs implements FunctionLogs {
    private final Home home;

    LocalFunctionLogs(Home home) {
        this.home = home;
    }

    @Override
    public Cursor open(FunctionId function) {
        return new LogFolderReader(home.logs().resolve(function.namespace()).resolve(function.name()));
    }
}
