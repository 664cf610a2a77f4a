package io.knabla.controller.config;

import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks all whole numbers among the settings, before anything acts on one of them. */
public final class SettingBounds {
    private final SettingsReader settings;

    private SettingBounds(SettingsReader settings) {
        this.settings = settings;
    }

    /** Reports each number that is out of its bounds, and each text that is no number. */
    public static void check(SettingsReader settings) {
        new SettingBounds(settings).section(Settings.class, "");
    }

    /** @param prefix a pattern of the variables of this section */
    private void section(Class<?> mapping, String prefix) {
        for (Method setting : mapping.getDeclaredMethods()) {
            String variable = prefix.isEmpty() ? "KNABLA_" : prefix + "_";
            String name = variable + variable(setting.getName());
            Optional.ofNullable(setting.getAnnotation(Bounds.class)).ifPresent(bounds -> number(name, bounds));
            section(setting.getGenericReturnType(), name);
        }
    }

    /** An entry of a list has its index in its variables. */
    private void section(Type type, String prefix) {
        switch (type) {
            case ParameterizedType list
            when ConfigKeys.isSection(list.getActualTypeArguments()[0]) ->
                section((Class<?>) list.getActualTypeArguments()[0], prefix + "_\\d+_");
            case Class<?> one when ConfigKeys.isSection(one) -> section(one, prefix);
            default -> {}
        }
    }

    private static String variable(String name) {
        return SettingNames.variable(SettingNames.key(name)).replaceFirst("KNABLA_", "");
    }

    private void number(String variables, Bounds bounds) {
        Pattern pattern = Pattern.compile(variables);
        settings.names().stream()
                .filter(pattern.asMatchPredicate())
                .forEach(name -> settings.number(name, bounds.from(), bounds.from(), bounds.to()));
    }
}
