package io.knabla.controller.cli.verbs.help;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completion script for fish: one line per verb and per option, and functions' names from the platform. */
final class FishCompletion {
    /** The command as typed, which may be {@code ./knabla}. */
    private static final String TYPED = "(commandline -opc)[1]";

    private final StringBuilder script = new StringBuilder();

    private FishCompletion() {}

    /** @param namedVerbs verbs that take the name of a function */
    static String of(CommandSpec root, String namedVerbs) {
        var fish = new FishCompletion();
        Map<String, CommandLine> verbs = new LinkedHashMap<>(root.subcommands());
        fish.line("complete -c knabla -f");
        verbs.forEach((name, verb) -> fish.line("complete -c knabla -n __fish_use_subcommand -a %s -d '%s'"
                .formatted(name, first(verb.getCommandSpec().usageMessage().description()))));
        root.options().forEach(option -> fish.option("", option));
        verbs.forEach((name, verb) -> verb.getCommandSpec()
                .options()
                .forEach(option -> fish.option("-n '__fish_seen_subcommand_from %s' ".formatted(name), option)));
        fish.line("complete -c knabla -n '__fish_seen_subcommand_from %s' -a '(eval %s list -o name -q 2>/dev/null)'"
                .formatted(namedVerbs.replace('|', ' '), TYPED));
        fish.line("complete -c knabla -l context -x -a '(eval %s contexts 2>/dev/null)'".formatted(TYPED));
        return fish.script.toString();
    }

    private void option(String condition, OptionSpec option) {
        if (option.hidden()) {
            return;
        }
        String names = Arrays.stream(option.names())
                .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                .collect(Collectors.joining(" "));
        line("complete -c knabla %s%s%s -d '%s'"
                .formatted(condition, names, value(option), first(option.description())));
    }

    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return option.completionCandidates() == null
                ? " -r -F"
                : " -r -F -a '%s'".formatted(String.join(" ", option.completionCandidates()));
    }

    private void line(String line) {
        script.append(line).append('\n');
    }

    private static String first(String... description) {
        String text = description.length == 0 ? "" : description[0];
        int end = text.indexOf(". ");
        return (end < 0 ? text : text.substring(0, end)).replace("'", "\\'");
    }
}
