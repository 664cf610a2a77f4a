package io.knabla.controller.hostile;

import io.knabla.controller.hostile.AttackedPlatform.Limits;
import java.util.Optional;

/** Repeats {@link HostileClientsIT} on a platform that requires a token, and has little memory and few descriptors. */
class HostileClientsWithTokenIT extends HostileClientsIT {
    @Override
    Limits limits() {
        return new Limits("-Xmx256m", 1024);
    }

    @Override
    Optional<String> token() {
        return Optional.of("a-long-random-text-of-this-test");
    }
}
