package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.CommonOptions;
import io.knabla.controller.cli.verbs.help.BuildVersionProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Root command {@code knabla}; {@link CommandLines} adds the verbs, one class each. */
@Command(
        name = "knabla",
        versionProvider = BuildVersionProvider.class,
        synopsisSubcommandLabel = "VERB",
        header = "Serverless functions for machine learning.",
        description = "./knabla VERB --help shows the options of a verb and an example.",
        footer = {
            "",
            "From nothing to a model that answers:",
            "  ./knabla demo",
            "Your own function:",
            "  ./knabla up              (leave it running; the next lines in another terminal)",
            "  ./knabla deploy -f function.yaml",
            "  ./knabla invoke NAME --input FILE",
            "",
            "Settings: flags, then KNABLA_SERVER KNABLA_CONTEXT KNABLA_INGRESS KNABLA_TOKEN KNABLA_HOME",
            "KNABLA_STORE, then $KNABLA_HOME/config.yaml (server, context, ingress, token, store, host,",
            "port), then defaults."
        })
final class KnablaCommand {
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print the version and exit.")
    boolean version;

    @Mixin
    CommonOptions common = new CommonOptions();
}
