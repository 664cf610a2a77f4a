package io.knabla.controller.hostile;

import java.util.Optional;

/** Repeats {@link HostileClientsIT} on a platform that requires a token. */
class HostileClientsWithTokenIT extends HostileClientsIT {
    @Override
    Optional<String> token() {
        return Optional.of("a-long-random-text-of-this-test");
    }
}
