package io.knabla.controller.app;

import io.knabla.controller.auth.Addresses;
import io.knabla.controller.config.Settings;
import io.knabla.controller.front.FrontOpener;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import java.io.IOException;

/** Opens the front and prints its address when the platform is ready, then blocks until shutdown. */
public final class PlatformApplication implements QuarkusApplication {
    private final Settings settings;
    private final FrontOpener front;

    PlatformApplication(Settings settings, FrontOpener front) {
        this.settings = settings;
        this.front = front;
    }

    @Override
    public int run(String... args) throws IOException {
        System.out.println("Knabla is ready: " + Addresses.url(settings.host(), front.open()));
        Quarkus.waitForExit();
        front.close();
        return 0;
    }
}
