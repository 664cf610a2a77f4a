package io.knabla.controller.app;

import io.knabla.controller.config.Settings;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.vertx.http.HttpServer;

/** Prints the address when the platform is ready, then blocks until shutdown. */
public final class PlatformApplication implements QuarkusApplication {
    private final Settings settings;
    private final HttpServer server;

    PlatformApplication(Settings settings, HttpServer server) {
        this.settings = settings;
        this.server = server;
    }

    @Override
    public int run(String... args) {
        System.out.println("Knabla is ready: http://" + settings.host() + ":" + server.getPort());
        Quarkus.waitForExit();
        return 0;
    }
}
