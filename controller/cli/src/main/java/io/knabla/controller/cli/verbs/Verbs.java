package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.cost.CostCommand;
import io.knabla.controller.cli.verbs.cost.CostSqlCommand;
import io.knabla.controller.cli.verbs.deploy.DeployCommand;
import io.knabla.controller.cli.verbs.deploy.ValidateCommand;
import io.knabla.controller.cli.verbs.function.DeleteCommand;
import io.knabla.controller.cli.verbs.function.DescribeCommand;
import io.knabla.controller.cli.verbs.function.ListCommand;
import io.knabla.controller.cli.verbs.function.LogsCommand;
import io.knabla.controller.cli.verbs.function.VersionsCommand;
import io.knabla.controller.cli.verbs.help.CompletionCommand;
import io.knabla.controller.cli.verbs.help.ContextsCommand;
import io.knabla.controller.cli.verbs.help.ExplainCommand;
import io.knabla.controller.cli.verbs.help.HelpCommand;
import io.knabla.controller.cli.verbs.help.VersionCommand;
import io.knabla.controller.cli.verbs.images.ImagesCommand;
import io.knabla.controller.cli.verbs.invoke.ChatCommand;
import io.knabla.controller.cli.verbs.invoke.InvokeCommand;
import io.knabla.controller.cli.verbs.launcher.BenchCommand;
import io.knabla.controller.cli.verbs.launcher.DemoCommand;
import io.knabla.controller.cli.verbs.launcher.PlatformRunner;
import io.knabla.controller.cli.verbs.launcher.TestCommand;
import io.knabla.controller.cli.verbs.launcher.UpCommand;
import io.knabla.controller.cli.verbs.model.AnalyzeCommand;
import io.knabla.controller.cli.verbs.model.DifferentiateCommand;
import io.knabla.controller.cli.verbs.model.ExportCommand;
import io.knabla.controller.cli.verbs.platform.DoctorCommand;
import io.knabla.controller.cli.verbs.platform.GcCommand;
import io.knabla.controller.cli.verbs.platform.SecretsCommand;
import io.knabla.controller.cli.verbs.simulate.SimulateCommand;
import io.knabla.controller.cli.verbs.simulate.Simulations;
import io.knabla.controller.cli.verbs.spot.SpotChaosCommand;
import io.knabla.controller.cli.verbs.spot.SpotCommand;
import io.knabla.controller.cli.verbs.spot.SpotInterruptCommand;
import io.knabla.controller.cli.verbs.spot.SpotRebalanceCommand;
import io.knabla.controller.cli.verbs.traffic.RollbackCommand;
import io.knabla.controller.cli.verbs.traffic.TrafficCommand;
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
