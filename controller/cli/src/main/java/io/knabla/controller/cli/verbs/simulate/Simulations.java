package io.knabla.controller.cli.verbs.simulate;

import io.knabla.controller.cli.verbs.context.Context;
import java.util.List;

/**
 * The verbs below {@code simulate}. The platform and the other verbs link none: the launcher starts {@code simulate}
 * with the module that has them.
 */
public interface Simulations {
    Simulations NONE = _ -> List.of();

    /** Commands of picocli, in the order of the help. */
    List<Object> commands(Context context);
}
