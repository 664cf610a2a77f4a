package io.knabla.controller.images;

import io.knabla.controller.cli.verbs.images.ImageBuild.Wheel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Python wheel as pip unpacked it, as its {@code .dist-info} folder tells (packaging.python.org, "Recording installed
 * projects").
 *
 * @param libraries paths in pip's folder
 * @param licences paths in pip's folder of the texts that must go along
 * @param licence in short, as the wheel says it
 */
record InstalledWheel(String name, String version, List<Path> libraries, List<Path> licences, String licence) {
    private static final Pattern LICENCE = Pattern.compile("(?i)(licen[cs]e|notice|thirdpartynotices).*");

    InstalledWheel {
        libraries = List.copyOf(libraries);
        licences = List.copyOf(licences);
    }

    /** The {@code .dist-info} folders of all wheels, by name; empty if the folder does not exist. */
    static List<Path> folders(Path home) throws IOException {
        if (!Files.isDirectory(home)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(home)) {
            return all.filter(folder -> folder.toString().endsWith(".dist-info"))
                    .sorted()
                    .toList();
        }
    }

    /** @param isLibrary which of the wheel's files are wanted, by their path in pip's folder */
    static InstalledWheel read(Path folder, Predicate<Path> isLibrary) throws IOException {
        List<Path> files;
        // Paths come first in each line, and none that is wanted has a comma.
        try (Stream<String> lines = Files.lines(folder.resolve("RECORD"))) {
            files = lines.map(line -> Path.of(line.substring(0, line.indexOf(','))))
                    .filter(file -> Files.isRegularFile(folder.resolveSibling(file)))
                    .sorted()
                    .toList();
        }
        List<String> about = Files.readAllLines(folder.resolve("METADATA"));
        return new InstalledWheel(
                field(about, "Name").orElse(folder.getFileName().toString()),
                field(about, "Version").orElse("?"),
                files.stream().filter(isLibrary).toList(),
                files.stream().filter(InstalledWheel::isLicence).toList(),
                field(about, "License-Expression")
                        .or(() -> field(about, "License"))
                        .orElse("see its licence files"));
    }

    private static boolean isLicence(Path file) {
        return LICENCE.matcher(file.getFileName().toString()).matches();
    }

    /** Fields come before the first empty line. */
    private static Optional<String> field(List<String> about, String name) {
        return about.stream()
                .takeWhile(line -> !line.isBlank())
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2).strip())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    boolean is(String otherName, String otherVersion) {
        return name.equals(otherName) && version.equals(otherVersion);
    }

    /** Everything that comes into an image. */
    List<Path> files() {
        return Stream.concat(libraries.stream(), licences.stream()).toList();
    }

    Wheel summary(Path home) throws IOException {
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(home.resolve(file));
        }
        return new Wheel(name, version, bytes, licence);
    }
}
