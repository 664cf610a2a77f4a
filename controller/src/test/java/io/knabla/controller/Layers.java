package io.knabla.controller;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Layers of one package each; {@code cli}, {@code cost}, {@code spot} and {@code warm} include the packages below them.
 */
final class Layers {
    private static final String ROOT = ArchitectureTest.ROOT;
    private static final Set<String> TREES = Set.of("cli", "cost", "spot", "warm");

    private final Map<String, String[]> uses = new LinkedHashMap<>();

    Layers layer(String name, String... used) {
        uses.put(name, used);
        return this;
    }

    ArchRule roof(String roof) {
        LayeredArchitecture rule = layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .ensureAllClassesAreContainedInArchitecture()
                .layer(roof)
                .definedBy(ROOT + roof);
        for (String name : uses.keySet()) {
            rule = rule.layer(name).definedBy(ROOT + name + (TREES.contains(name) ? ".." : ""));
        }
        for (var layer : uses.entrySet()) {
            var where = rule.whereLayer(layer.getKey());
            rule = layer.getValue().length == 0
                    ? where.mayNotAccessAnyLayer()
                    : where.mayOnlyAccessLayers(layer.getValue());
        }
        return rule.whereLayer(roof).mayNotBeAccessedByAnyLayer();
    }
}
