package io.knabla.controller.simulate.verbs;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.simulate.generation.ChunkPolicy;
import io.knabla.controller.simulate.generation.GoodputRow;
import io.knabla.controller.simulate.generation.GoodputSearch;
import io.knabla.controller.simulate.generation.Objectives;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compares rules for reading prompts beside the texts that are made. */
@Command(
        name = "generation",
        description = {
            "Serves a trace of requests for texts with simulated replicas, whose steps the very scheduler of a replica"
                    + " decides, and prints the goodput of each policy: the highest rate of requests a second of each"
                    + " replica at which 90 %% keep both objectives; a refused request keeps none.",
            "Smooth goodput counts tokens a second of each replica, less those that were due while a reader waited.",
            "A trace is a CSV file with the columns time,prompt,generated in seconds and tokens, a file of the Azure LLM"
                    + " traces, or 'azure-code', the first 1,000 requests of Azure's trace of 2023 (Patel et al., ISCA"
                    + " 2024, CC BY 4.0). Its lengths are used in their order, its times with --arrivals Trace."
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla simulate generation --trace azure-code",
            "  ./knabla simulate generation --trace azure-code --tpot 20ms,50ms --replicas 4 --policy Objective,Split:2+2",
            "  ./knabla simulate generation --trace requests.csv --costs 30000,900,400,2 --rate 0.5 -o json"
        })
final class SimulateGenerationCommand implements Callable<Integer> {
    @Mixin
    GenerationOptions options = new GenerationOptions();

    private final Context context;

    SimulateGenerationCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<String> faults = options.faults();
        if (!faults.isEmpty()) {
            throw CliFailure.usageError("%s", String.join("\n", faults));
        }
        GoodputSearch search = options.search();
        List<GoodputRow> rows = new ArrayList<>();
        for (Objectives objectives : options.objectives()) {
            for (ChunkPolicy policy : options.chosen()) {
                context.note("simulating %s under %s", search.trace(), policy);
                rows.add(search.row(policy, objectives, options.rate()));
            }
        }
        print(rows);
        return ExitCodes.SUCCESS;
    }

    private void print(List<GoodputRow> rows) {
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(Map.of("rows", rows)));
            case yaml -> context.console().out().println(Documents.yaml(Map.of("rows", rows)));
            case name -> rows.forEach(row -> context.console().print("%s", row.policy()));
            case table, wide -> context.console().print("%s", table(rows));
        }
    }

    private static Table table(List<GoodputRow> rows) {
        var table = Table.of(
                "POLICY",
                ">TTFT",
                ">TPOT",
                ">GOODPUT",
                ">SMOOTH",
                ">RATE",
                ">KEPT",
                ">LATE FIRST",
                ">LATE NEXT",
                ">REFUSED");
        rows.forEach(row -> table.row(
                row.policy(),
                "%.3f s".formatted(row.ttftSeconds()),
                "%.1f ms".formatted(1e3 * row.tpotSeconds()),
                row.goodput() == null ? "" : "%.2f/s".formatted(row.goodput()),
                "%.1f/s".formatted(row.smoothGoodput()),
                "%.2f/s".formatted(row.rate()),
                percent(row.attained()),
                percent(row.missedTtft()),
                percent(row.missedTpot()),
                percent(row.refused())));
        return table;
    }

    private static String percent(double share) {
        return "%.1f %%".formatted(100 * share);
    }
}
