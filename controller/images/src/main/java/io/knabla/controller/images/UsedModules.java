package io.knabla.controller.images;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Finds the modules of the JDK that the classes of some jars refer to. {@code jdeps} does not fit: it treats a jar with
 * a module descriptor as a module, and needs all that it requires, used or not.
 */
final class UsedModules {
    private final Map<String, String> moduleOfPackage = new HashMap<>();
    private final Set<String> modules = new TreeSet<>(Set.of("java.base"));

    private UsedModules() {
        ModuleFinder.ofSystem()
                .findAll()
                .forEach(module -> module.descriptor()
                        .packages()
                        .forEach(name ->
                                moduleOfPackage.put(name, module.descriptor().name())));
    }

    /** Modules sorted by name. */
    static Set<String> by(List<Path> jars) throws IOException {
        var used = new UsedModules();
        for (Path jar : jars) {
            used.read(jar);
        }
        return used.modules;
    }

    private void read(Path file) throws IOException {
        try (var jar = new JarFile(file.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
            for (JarEntry entry : jar.versionedStream().toList()) {
                String name = entry.getName();
                if (name.endsWith(".class") && !name.endsWith("module-info.class")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        read(in.readAllBytes());
                    }
                }
            }
        }
    }

    private void read(byte[] bytes) {
        for (PoolEntry entry : ClassFile.of().parse(bytes).constantPool()) {
            if (entry instanceof ClassEntry named) {
                ClassDesc type = named.asSymbol();
                while (type.isArray()) {
                    type = type.componentType();
                }
                String module = moduleOfPackage.get(type.packageName());
                if (module != null) {
                    modules.add(module);
                }
            }
        }
    }
}
