package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.doctor.Examination;
import io.knabla.controller.cli.doctor.Finding;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.controller.cli.print.Console.Colour;
import io.knabla.controller.cli.print.Documents;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** What this machine has and lacks. */
@Command(
        name = "doctor",
        description = "Checks what this machine has and lacks, each lack with its fix.",
        footer = {"", "Example:", "  ./knabla doctor"})
final class DoctorCommand implements Callable<Integer> {
    private final Context context;

    DoctorCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new Examination(Settings.ofProcess(), Launcher.root()).findings();
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(Map.of("items", findings)));
            case yaml -> context.console().out().println(Documents.yaml(Map.of("items", findings)));
            case name, table, wide -> findings.forEach(this::show);
        }
        boolean bad = findings.stream().anyMatch(finding -> finding.grade() == Grade.bad);
        return bad ? ExitCodes.FAILED : ExitCodes.GOOD;
    }

    private void show(Finding finding) {
        String mark =
                switch (finding.grade()) {
                    case good -> context.console().paint(Colour.GREEN, "good");
                    case poor -> context.console().paint(Colour.YELLOW, "poor");
                    case bad -> context.console().paint(Colour.RED, "bad ");
                };
        context.console().print("%s  %-14s %s", mark, finding.check(), finding.found());
        if (!finding.fix().isEmpty()) {
            context.console().print("%20s %s", "", "fix: " + finding.fix());
        }
    }
}
