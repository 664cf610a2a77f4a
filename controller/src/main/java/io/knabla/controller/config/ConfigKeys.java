package io.knabla.controller.config;

import io.knabla.controller.home.ConfigFile;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reports keys of {@code config.yaml} that no setting has; derives the known ones from {@link Settings}. */
public final class ConfigKeys {
    /** Keys of the command line, which the platform ignores. */
    private static final Set<String> COMMAND_LINE = Set.of("server", "context", "ingress", "image_base");

    /** The file is found by the first, and a pod's manifest sets the second. */
    static final List<String> NOT_IN_THE_FILE = List.of("home", "namespace");

    /** {@link Settings#s3} is an open map: the store's adapter reads it. */
    static final Set<String> S3 = Set.of(
            "endpoint",
            "addressing",
            "ca",
            "encryption",
            "region",
            "connectTimeout",
            "requestTimeout",
            "callTimeout",
            "attempts");

    /** Lists that only the file can state; {@code CostSettings} reads them, and knows the keys of their entries. */
    private static final Set<String> COST_LISTS = Set.of("prices", "budgets", "tokenPrices");

    private static final Section FILE = file();

    /** The known keys of one level, each with its allowed content; empty for a value. */
    private record Section(Map<String, Section> keys) {
        static final Section VALUE = new Section(Map.of());

        static Section of(Class<?> mapping) {
            Map<String, Section> keys = new TreeMap<>();
            for (Method setting : mapping.getDeclaredMethods()) {
                if (!setting.isSynthetic()) {
                    keys.put(setting.getName(), of(setting.getGenericReturnType()));
                }
            }
            return new Section(keys);
        }

        private static Section of(Type type) {
            return switch (type) {
                case ParameterizedType list -> of(list.getActualTypeArguments()[0]);
                case Class<?> section when isSection(section) -> of(section);
                default -> VALUE;
            };
        }

        static Section ofNames(Set<String> names) {
            Map<String, Section> keys = new TreeMap<>();
            names.forEach(name -> keys.put(name, VALUE));
            return new Section(keys);
        }
    }

    private ConfigKeys() {}

    /** Whether a setting of this type has keys of its own. */
    static boolean isSection(Type type) {
        return type instanceof Class<?> one && one.isInterface() && one.getDeclaringClass() == Settings.class;
    }

    private static Section file() {
        Section all = Section.of(Settings.class);
        all.keys().put("s3", Section.ofNames(S3));
        all.keys().putAll(Section.ofNames(COMMAND_LINE).keys());
        all.keys().putAll(Section.ofNames(COST_LISTS).keys());
        NOT_IN_THE_FILE.forEach(all.keys()::remove);
        return all;
    }

    /** Those of the first level, in order. */
    static Set<String> names() {
        return FILE.keys().keySet();
    }

    /** Every fault of the file; empty if the platform can use all of it. */
    public static List<String> faults(ConfigFile file) {
        List<String> faults = new ArrayList<>(file.fault().stream().toList());
        file.values().keySet().stream()
                .flatMap(path -> unknown(path).stream())
                .distinct()
                .map(unknown -> "%s: %s".formatted(file.path(), unknown))
                .forEach(faults::add);
        return faults;
    }

    private static Optional<String> unknown(String path) {
        Section section = FILE;
        String at = "";
        for (String part : path.split("\\.")) {
            if (section.keys().isEmpty()) {
                return Optional.empty();
            }
            String key = part.replaceFirst("\\[\\d+]$", "");
            if (!section.keys().containsKey(key)) {
                return Optional.of("unknown key '%s%s'; known are %s"
                        .formatted(at, key, String.join(", ", section.keys().keySet())));
            }
            section = section.keys().get(key);
            at += part + ".";
        }
        return Optional.empty();
    }

    /**
     * Whether a path of {@code config.yaml} is a setting of Quarkus, which reads neither the command line's nor lists.
     */
    public static boolean isForQuarkus(String path) {
        return !COMMAND_LINE.contains(path) && COST_LISTS.stream().noneMatch(list -> path.startsWith(list + "["));
    }
}
