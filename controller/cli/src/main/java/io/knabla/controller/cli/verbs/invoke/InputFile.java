package io.knabla.controller.cli.verbs.invoke;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file whose content is sent to a function; {@code -} is standard input.
 *
 * @param nameInFolder empty unless the user named the folder that holds it
 */
record InputFile(String path, String nameInFolder) {
    /**
     * The file at {@code path}, or the files of this folder by name, without hidden ones and folders.
     *
     * @throws CliFailure if one of them cannot be read, or the folder has none
     */
    static List<InputFile> of(String path) {
        List<InputFile> files =
                Files.isDirectory(Path.of(path)) ? filesOf(Path.of(path)) : List.of(new InputFile(path, ""));
        files.forEach(InputFile::check);
        return files;
    }

    private static List<InputFile> filesOf(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            List<InputFile> files = entries.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .map(file ->
                            new InputFile(file.toString(), file.getFileName().toString()))
                    .toList();
            if (files.isEmpty()) {
                throw CliFailure.failed("cannot read %s: the folder has no file", folder);
            }
            return files;
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: no permission to list the folder", folder);
        }
    }

    private void check() {
        if (!isStandardInput() && !Files.isReadable(Path.of(path))) {
            throw CliFailure.failed("cannot read %s: there is no such file, or no permission to read it", path);
        }
    }

    private boolean isStandardInput() {
        return path.equals("-");
    }

    byte[] read() {
        try {
            return isStandardInput() ? System.in.readAllBytes() : Files.readAllBytes(Path.of(path));
        } catch (IOException gone) {
            throw CliFailure.because(gone, "cannot read %s: %s", path, gone);
        }
    }
}
