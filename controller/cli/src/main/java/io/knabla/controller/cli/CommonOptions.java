package io.knabla.controller.cli;

import io.knabla.controller.cli.print.Format;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every verb takes. */
public final class CommonOptions {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    boolean help;

    @Option(
            names = {"-o", "--output"},
            scope = ScopeType.INHERIT,
            paramLabel = "FORMAT",
            completionCandidates = Formats.class,
            description = "One of ${COMPLETION-CANDIDATES} (default: table); for a verb that writes a file, also the"
                    + " file's name.")
    List<String> outputs = List.of();

    static final class Formats extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Formats() {
            super(Stream.of(Format.values()).map(Format::name).toList());
        }
    }

    /** Output format: the value of {@code -o} that names a format, {@code table} by default. */
    public Format format() {
        return outputs.stream()
                .flatMap(text -> format(text).stream())
                .findFirst()
                .orElse(Format.table);
    }

    /** Output file: the value of {@code -o} that is not a format. */
    public Optional<Path> file() {
        return files().stream().findFirst().map(Path::of);
    }

    /** Fault in the values of {@code -o}; empty if they are valid. */
    public Optional<String> fault(boolean writesFile) {
        if (!writesFile && !files().isEmpty()) {
            return Optional.of("'%s' is no format for -o; write one of %s"
                    .formatted(files().getFirst(), String.join(", ", new Formats())));
        }
        return files().size() > 1 || outputs.size() - files().size() > 1
                ? Optional.of("-o was given %s; give at most one format and one file".formatted(outputs))
                : Optional.empty();
    }

    private List<String> files() {
        return outputs.stream().filter(text -> format(text).isEmpty()).toList();
    }

    private static Optional<Format> format(String text) {
        return Stream.of(Format.values())
                .filter(format -> format.name().equalsIgnoreCase(text))
                .findFirst();
    }

    @Option(
            names = {"-n", "--namespace"},
            scope = ScopeType.INHERIT,
            paramLabel = "NAMESPACE",
            description = "Namespace of the function (default: that of the context, else 'default'; list: all).")
    public String namespace;

    @Option(
            names = "--server",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The platform's address (default: http://127.0.0.1:8080).")
    public String server;

    @Option(
            names = "--context",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "Use the platform in the cluster of this kubeconfig context (KUBECONFIG, or ~/.kube/config).")
    public String context;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Print only the result: no progress, no hints.")
    public boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Print more: each HTTP call, causes of failures.")
    public boolean verbose;
}
