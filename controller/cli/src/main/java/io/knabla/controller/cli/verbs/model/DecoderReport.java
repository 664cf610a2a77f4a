package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.decoder.DecoderAnalysis;
import io.knabla.functions.decoder.DecoderAnalysis.PrecisionCost;

/** Prints what a language model takes to run, and how many tokens a second a machine can make at most. */
record DecoderReport(Context context, DecoderAnalysis analysis, Machine machine) {

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
        ArrayNode precisions = document.withArray("precisions");
        for (int i = 0; i < precisions.size(); i++) {
            ((ObjectNode) precisions.get(i))
                    .put("mostTokensPerSecond", tokens(analysis.precisions().get(i)));
        }
        document.put("mostPromptTokensPerSecond", analysis.mostPromptTokensPerSecond(machine));
        document.put("machine", machine.text());
        return document;
    }

    private double tokens(PrecisionCost precision) {
        return DecoderAnalysis.mostTokensPerSecond(precision, machine);
    }

    private Table precisions() {
        var table = Table.of("QUANTIZE", ">WEIGHTS", ">READ PER TOKEN", ">MOST TOKENS/S");
        for (PrecisionCost precision : analysis.precisions()) {
            table.row(
                    precision.name(),
                    Amounts.bytes(precision.weightBytes()),
                    Amounts.bytes(precision.bytesPerToken()),
                    Amounts.count(tokens(precision)));
        }
        return table;
    }

    private void totals(Console console) {
        line(console, "Architecture", "%s, %d layers".formatted(analysis.architecture(), analysis.layers()));
        line(
                console,
                "Tokens",
                "%s known, in a table of %s"
                        .formatted(Amounts.count(analysis.vocabulary()), Amounts.bytes(analysis.tokenizerBytes())));
        line(console, "Parameters", Amounts.count(analysis.parameters()));
        line(
                console,
                "FLOPs per token",
                "%s, and %s for each token before it"
                        .formatted(
                                Amounts.count(analysis.flopsPerToken()),
                                Amounts.count(analysis.attentionFlopsPerToken())));
        line(
                console,
                "Keys and values",
                "%s per token, %s for a context of %d tokens; with kvCache type Int8 %s and %s"
                        .formatted(
                                Amounts.bytes(analysis.keyValueBytesPerToken()),
                                Amounts.bytes(analysis.keyValueBytesPerToken() * analysis.contextLength()),
                                analysis.contextLength(),
                                Amounts.bytes(analysis.int8KeyValueBytesPerToken()),
                                Amounts.bytes(analysis.int8KeyValueBytesPerToken() * analysis.contextLength())));
        line(
                console,
                "Prompt",
                "at most %s tokens/s".formatted(Amounts.count(analysis.mostPromptTokensPerSecond(machine))));
        line(console, "Machine", "%s; limits of one sequence".formatted(machine.text()));
    }

    private static void line(Console console, String label, String value) {
        console.print("%-17s %s", label + ":", value);
    }
}
