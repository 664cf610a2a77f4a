package io.knabla.controller.images;

import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds a base layer from this machine's C library and the other libraries that native code of the layers links. */
final class HostLibraries {
    /** Lines of ldd such as {@code libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)}; the loader's has no name. */
    private static final Pattern LINKED = Pattern.compile("(?m)^\\s*(?:\\S+ => )?(/\\S+) \\(0x");

    private static final String PASSWD = "root:x:0:0::/root:/sbin/nologin\nnonroot:x:65532:65532::/tmp:/sbin/nologin\n";
    private static final String GROUP = "root:x:0:\nnonroot:x:65532:\n";
    private static final String NAMES = "hosts: files dns\n";

    private HostLibraries() {}

    /** @param folder is deleted first, then filled */
    static Layer layer(List<Layer> layers, Path folder) throws IOException {
        Staging.delete(folder);
        for (Path library : linked(layers)) {
            Path inside = Path.of("/").relativize(library);
            Path target = folder.resolve(inside);
            Files.createDirectories(target.getParent());
            // Copies the file under the name that the loader looks for; follows links to versions.
            Files.copy(library.toRealPath(), target);
        }
        Path etc = Files.createDirectories(folder.resolve("etc"));
        Files.writeString(etc.resolve("passwd"), PASSWD, StandardCharsets.US_ASCII);
        Files.writeString(etc.resolve("group"), GROUP, StandardCharsets.US_ASCII);
        Files.writeString(etc.resolve("nsswitch.conf"), NAMES, StandardCharsets.US_ASCII);
        Files.createDirectories(folder.resolve("tmp"));
        try (Stream<Path> top = Files.list(folder)) {
            return new Layer(
                    "host", folder, "/", top.map(Path::getFileName).sorted().toList());
        }
    }

    private static Set<Path> linked(List<Layer> layers) throws IOException {
        var command = new ArrayList<String>(List.of("ldd"));
        for (Layer layer : layers) {
            command.addAll(nativeFiles(layer));
        }
        Set<Path> ours = layers.stream().map(Layer::tree).collect(Collectors.toSet());
        return LINKED.matcher(ProcessRunner.run(command))
                .results()
                .map(match -> Path.of(match.group(1)))
                .filter(library -> ours.stream().noneMatch(library::startsWith))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> nativeFiles(Layer layer) throws IOException {
        var found = new ArrayList<String>();
        for (Path named : layer.files()) {
            try (Stream<Path> files = Files.walk(layer.tree().resolve(named))) {
                files.filter(file -> file.toString().endsWith(".so") || file.endsWith("bin/java"))
                        .map(Path::toString)
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }
}
