package io.knabla.controller.local.pool;

import java.io.IOException;
import java.util.List;

/** Starts processes for the pool. */
@FunctionalInterface
public interface MemberStarter {
    /** @param prefix of the command, such as {@code nice -n 19}; may be empty */
    PoolMember start(PoolVariant variant, List<String> prefix) throws IOException;
}
