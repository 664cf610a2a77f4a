package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.decoder.DecoderAnalysis.PrecisionCost;
import io.knabla.functions.decoder.EncoderAnalysis;

/** Prints what an encoder takes to run, and how many tokens a second a machine can read at most. */
record EncoderReport(Context context, EncoderAnalysis analysis, Machine machine) {

    /** @param name of the model's folder */
    void print(String name) {
        Console console = context.console();
        switch (context.format()) {
            case json -> console.out().println(Documents.json(document()));
            case yaml -> console.out().println(Documents.yaml(document()));
            case name -> console.print("%s", name);
            case table, wide -> {
                console.print("%s", precisions());
                console.print("");
                totals(console);
            }
        }
    }

    private ObjectNode document() {
        ObjectNode document = Documents.JSON.valueToTree(analysis);
        document.put("mostTokensPerSecond", tokens(1));
        document.put("mostTokensPerSecondInLongest", tokens(analysis.maxTokens()));
        return document.put("machine", machine.text());
    }

    /** @param length tokens of each text */
    private double tokens(int length) {
        return analysis.mostTokensPerSecond(length, machine);
    }

    private Table precisions() {
        var table = Table.of("QUANTIZE", ">WEIGHTS");
        for (PrecisionCost precision : analysis.precisions()) {
            table.row(precision.name(), Amounts.bytes(precision.weightBytes()));
        }
        return table;
    }

    private void totals(Console console) {
        line(
                console,
                "Architecture",
                "%s, %d layers, %s"
                        .formatted(
                                analysis.architecture(),
                                analysis.layers(),
                                analysis.output() == 1
                                        ? "a score for a pair of texts"
                                        : "vectors of %d elements".formatted(analysis.output())));
        line(
                console,
                "Tokens",
                "%s known, in a table of %s; %d at most in a text"
                        .formatted(
                                Amounts.count(analysis.vocabulary()),
                                Amounts.bytes(analysis.tokenizerBytes()),
                                analysis.maxTokens()));
        line(console, "Parameters", Amounts.count(analysis.parameters()));
        line(
                console,
                "FLOPs per token",
                "%s, and %s for each token of its text"
                        .formatted(
                                Amounts.count(analysis.flopsPerToken()),
                                Amounts.count(analysis.attentionFlopsPerToken())));
        line(
                console,
                "Speed",
                "at most %s tokens/s, %s in the longest texts"
                        .formatted(Amounts.count(tokens(1)), Amounts.count(tokens(analysis.maxTokens()))));
        line(console, "Machine", machine.text());
    }

    private static void line(Console console, String label, String value) {
        console.print("%-17s %s", label + ":", value);
    }
}
