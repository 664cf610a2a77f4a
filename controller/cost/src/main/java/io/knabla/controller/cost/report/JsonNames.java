package io.knabla.controller.cost.report;

import java.util.Locale;

/** Names of fields that stand for constants. */
final class JsonNames {
    private JsonNames() {}

    /** As in {@code allOnDemand} for {@code ALL_ON_DEMAND}. */
    static String of(Enum<?> constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }
}
