package io.knabla.controller.front;

import io.knabla.controller.auth.Addresses;
import io.knabla.controller.auth.CrossOrigin;
import io.knabla.controller.auth.FrontKey;
import io.knabla.controller.auth.RequestGuard;
import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.config.Settings;
import io.quarkus.vertx.http.HttpServer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Opens the front on the configured address once the control API listens. */
@Singleton
public final class FrontOpener implements AutoCloseable {
    private final Settings settings;
    private final HttpServer api;
    private final FrontKey key;
    private final ReplicaAccess replicas;
    private final FunctionHandler functions;
    private Front front;

    FrontOpener(Settings settings, HttpServer api, FrontKey key, ReplicaAccess replicas, FunctionHandler functions) {
        this.settings = settings;
        this.api = api;
        this.key = key;
        this.replicas = replicas;
        this.functions = functions;
    }

    /**
     * Listens, and returns the port.
     *
     * @throws IOException if the port is taken
     */
    public int open() throws IOException {
        front = Front.open(
                new InetSocketAddress(settings.host(), settings.port()),
                FrontLimits.ofProcess(),
                new RequestGuard(
                        settings.host(), settings.token(), CrossOrigin.of(settings), Optional.of(replicas.key())),
                functions,
                api.getPort(),
                key.enforce());
        replicas.listens(Addresses.ownUrl(settings.host(), front.port()));
        return front.port();
    }

    @Override
    public void close() {
        if (front != null) {
            front.close();
        }
    }
}
