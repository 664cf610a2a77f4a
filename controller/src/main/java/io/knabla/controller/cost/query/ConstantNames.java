package io.knabla.controller.cost.query;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Names of constants as people write them: {@code all-on-demand} for {@code ALL_ON_DEMAND}. */
public final class ConstantNames {
    private ConstantNames() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Finds a constant by its name; capitals, and {@code _} for {@code -}, make no difference. */
    static <E extends Enum<E>> Optional<E> find(E[] constants, String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(constants)
                .filter(constant -> constant.name().equals(name))
                .findFirst();
    }

    static String all(Enum<?>[] constants) {
        List<String> names = Arrays.stream(constants).map(ConstantNames::of).toList();
        return String.join(", ", names);
    }
}
