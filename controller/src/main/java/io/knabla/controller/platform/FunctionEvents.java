package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;

/** Shows an event where users look at a function; only some platforms can. Best effort. */
public interface FunctionEvents {
    /** @param reason one word in CamelCase */
    void warn(FunctionId function, String reason, String message);
}
