package io.knabla.controller.cli;

import io.knabla.controller.cli.print.Format;
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
            description = "One of ${COMPLETION-CANDIDATES} (default: table).")
    public Format format = Format.table;

    @Option(
            names = {"-n", "--namespace"},
            scope = ScopeType.INHERIT,
            paramLabel = "NAMESPACE",
            description = "Namespace of the function (default: default; list: all).")
    public String namespace;

    @Option(
            names = "--server",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The platform's address (default: http://127.0.0.1:8080).")
    public String server;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Say only what was asked for: no progress, no hints.")
    public boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Say more: each HTTP call, causes of failures.")
    public boolean verbose;

    /** The namespace to act in. */
    public String namespaceOrDefault() {
        return namespace == null ? "default" : namespace;
    }
}
