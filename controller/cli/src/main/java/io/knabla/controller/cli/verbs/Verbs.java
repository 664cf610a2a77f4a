package io.knabla.controller.cli.verbs;

import java.util.List;
import picocli.CommandLine;

/** Adds every verb to the command line; the only list of them. */
public final class Verbs {
    private Verbs() {}

    public static void addTo(CommandLine line, Context context, PlatformRunner up, Simulations simulations) {
        line.addSubcommand(new DemoCommand())
                .addSubcommand(new UpCommand(up))
                .addSubcommand(new DeployCommand(context))
                .addSubcommand(new ListCommand(context))
                .addSubcommand(new DescribeCommand(context))
                .addSubcommand(new ValidateCommand(context))
                .addSubcommand(new ExplainCommand(context))
                .addSubcommand(new VersionsCommand(context))
                .addSubcommand(new DeleteCommand(context))
                .addSubcommand(new LogsCommand(context))
                .addSubcommand(new InvokeCommand(context))
                .addSubcommand(new ChatCommand(context))
                .addSubcommand(new TrafficCommand(context))
                .addSubcommand(new RollbackCommand(context))
                .addSubcommand(new AnalyzeCommand(context))
                .addSubcommand(new DifferentiateCommand(context))
                .addSubcommand(new ExportCommand(context))
                .addSubcommand(new CommandLine(new CostCommand(context)).addSubcommand(new CostSqlCommand(context)))
                .addSubcommand(simulate(simulations.commands(context)))
                .addSubcommand(new CommandLine(new SpotCommand())
                        .addSubcommand(new SpotInterruptCommand(context))
                        .addSubcommand(new SpotRebalanceCommand(context))
                        .addSubcommand(new SpotChaosCommand(context)))
                .addSubcommand(new GcCommand(context))
                .addSubcommand(new ImagesCommand(context))
                .addSubcommand(new DoctorCommand(context))
                .addSubcommand(new BenchCommand())
                .addSubcommand(new TestCommand())
                .addSubcommand(new CompletionCommand(context))
                .addSubcommand(new ContextsCommand(context))
                .addSubcommand(new SecretsCommand(context))
                .addSubcommand(new VersionCommand(context))
                .addSubcommand(new HelpCommand());
    }

    private static CommandLine simulate(List<Object> simulations) {
        CommandLine simulate = new CommandLine(new SimulateCommand());
        simulations.forEach(simulate::addSubcommand);
        return simulate;
    }
}
