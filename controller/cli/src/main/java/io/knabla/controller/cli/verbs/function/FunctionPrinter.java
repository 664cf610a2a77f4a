package io.knabla.controller.cli.verbs.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Format;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.knative.resource.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Prints functions and versions in the format of {@code -o}. */
public final class FunctionPrinter {
    private final Context context;

    public FunctionPrinter(Context context) {
        this.context = context;
    }

    void functions(JsonNode answer) {
        switch (context.format()) {
            case json, yaml -> document(answer);
            case name -> answer.path("items").forEach(item -> context.console().print(text(item, "name")));
            case table -> table(answer.path("items"), false);
            case wide -> table(answer.path("items"), true);
        }
    }

    /** Prints JSON or YAML; the other formats have their own printers. */
    public void document(JsonNode answer) {
        boolean yaml = context.format() == Format.yaml;
        context.console().out().println(yaml ? Documents.yaml(answer) : Documents.json(answer));
    }

    private void table(JsonNode items, boolean wide) {
        List<String> headings =
                new ArrayList<>(List.of("NAME", "NAMESPACE", "READY", ">VERSION", ">REPLICAS", "URL", ">AGE"));
        if (wide) {
            headings.addAll(5, List.of("TYPE", "TRAFFIC", "UNIT"));
        }
        var table = Table.of(headings.toArray(String[]::new));
        for (JsonNode item : items) {
            List<Object> row = new ArrayList<>(List.of(
                    text(item, "name"),
                    text(item, "namespace"),
                    ready(item),
                    text(item, "latestVersion"),
                    item.path("replicas").path("ready").asText("0"),
                    text(item, "url"),
                    Amounts.age(text(item, "created"), Instant.now())));
            if (wide) {
                row.addAll(5, List.of(text(item, "type"), traffic(item.path("traffic")), unit(item)));
            }
            table.row(row.toArray());
        }
        if (table.isEmpty()) {
            context.note("No functions. Deploy one: ./knabla deploy -f function.yaml");
            return;
        }
        context.console().print("%s", table);
        items.forEach(this::noteDamage);
    }

    private void noteDamage(JsonNode item) {
        JsonNode ready = condition(item, "Ready");
        if (ready.path("reason").asText().equals(Reason.CatalogDamaged.name())) {
            context.note("%s", ready.path("message").asText());
        }
    }

    void versions(JsonNode answer) {
        switch (context.format()) {
            case json, yaml -> document(answer);
            case name -> answer.path("items").forEach(item -> context.console().print(text(item, "version")));
            case table, wide -> {
                var table = Table.of(">VERSION", ">TRAFFIC", ">REPLICAS", "UNIT", "MODEL", ">AGE");
                for (JsonNode item : answer.path("items")) {
                    JsonNode replicas = item.path("replicas");
                    table.row(
                            text(item, "version"),
                            item.path("traffic").asText("0") + " %",
                            replicas.isObject() ? replicas.path("ready").asText() : replicas.asText("0"),
                            unit(item),
                            shortened(text(item, "model")),
                            Amounts.age(text(item, "created"), Instant.now()));
                }
                context.console().print("%s", table);
            }
        }
    }

    public static String text(JsonNode item, String key) {
        JsonNode value = item.path(key);
        return value.isMissingNode() || value.isNull() ? "-" : value.asText();
    }

    /** The status of condition {@code Ready}, with its reason unless it is true. */
    static String ready(JsonNode function) {
        JsonNode ready = condition(function, "Ready");
        String status = ready.path("status").asText("Unknown");
        String reason = ready.path("reason").asText("");
        return status.equalsIgnoreCase("true") || reason.isEmpty() ? status : status + " (" + reason + ")";
    }

    public static JsonNode condition(JsonNode function, String type) {
        for (JsonNode condition : function.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return Documents.JSON.createObjectNode();
    }

    /** As in {@code 1=90% 2=10%}; with its tag, {@code 2=10% (canary)}. */
    public static String traffic(JsonNode targets) {
        var parts = new ArrayList<String>();
        for (JsonNode target : targets) {
            String share = target.path("version").asText("latest") + "="
                    + target.path("percent").asText() + "%";
            parts.add(target.has("tag") ? share + " (" + target.path("tag").asText() + ")" : share);
        }
        return parts.isEmpty() ? "-" : String.join(" ", parts);
    }

    private static String unit(JsonNode item) {
        return shortened(text(item, "unit"));
    }

    private static String shortened(String digest) {
        return digest.length() > 19 ? digest.substring(0, 19) : digest;
    }
}
