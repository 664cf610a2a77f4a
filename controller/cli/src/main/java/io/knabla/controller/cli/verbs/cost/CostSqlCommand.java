package io.knabla.controller.cli.verbs.cost;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.PlatformResponse;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** Runs a SELECT over the recorded usage. */
@Command(
        name = "sql",
        preprocessor = CostSqlCommand.CommentFirst.class,
        description = {
            "Runs one SELECT of DuckDB's SQL over the usage of a period. It reads these tables and nothing else; it may"
                    + " use 256 MB of memory and 30 s, and answers with 10000 rows at most. Times are UTC. 'show tables' and"
                    + " 'describe costs' name tables and columns.",
            "",
            "nodes: time for which a node is paid. id, start_time, end_time (null while it runs), ended (RUNNING,"
                    + " RELEASED, INTERRUPTED), name, pool, capacity (ON_DEMAND, SPOT), instance_type, region, zone_id,"
                    + " vcpus, memory_bytes, gpus",
            "replicas: time for which a replica held resources. id, start_time, end_time, ended (RUNNING, STOPPED, FAILED,"
                    + " INTERRUPTED), namespace, function, version, node (nodes.id), requested_vcpus,"
                    + " requested_memory_bytes, requested_gpus, used_vcpus, used_memory_bytes, used_gpus, start_kind"
                    + " (COLD, POOLED), start_phases (nanoseconds by phase), succeeded, failed, retried, elements,"
                    + " busy_millis, counters (null, or by its name what only some functions count: counters['NAME'])",
            "requests: what a replica did in a minute. id, start_time, namespace, function, version, replica"
                    + " (replicas.id), succeeded, failed, retried, elements, busy_millis, counters",
            "costs: what a version cost in an hour, as the report has it. hour, namespace, function, version (null: what"
                    + " belongs to none, such as a node's time that no replica held), usd (null: nothing has a price),"
                    + " idle_usd (of it, for waiting), on_demand_usd (null: a price is missing), complete (whether usd has"
                    + " all its prices)",
            "prices: of an hour of an instance, those of other periods as well; where several hold, reports take DECLARED"
                    + " first, then the newest. instance_type, region, zone_id (* for all), capacity (ON_DEMAND, SPOT,"
                    + " ONE_YEAR, THREE_YEARS), usd_per_hour, valid_from (null: always), valid_until (null: unlimited),"
                    + " quality (MEASURED, HISTORY, DERIVED, DEFAULT, DECLARED, ASSUMED), source, retrieved"
        },
        footer = {
            "",
            "Examples:",
            "  ./knabla cost sql \"select capacity, count(*) from nodes group by all\"",
            "  ./knabla cost sql --from 7d \"select function, sum(succeeded) from requests group by all\" -o json",
            "  ./knabla cost sql --from 30d \"select function, sum(usd) from costs where hour >= now() - interval 7 day group by all\"",
            "  ./knabla cost sql \"select capacity, max(usd_per_hour) from prices where instance_type = 'm7i.large' group by all\""
        })
public final class CostSqlCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "SELECT", description = "The query, in quotation marks.")
    String select;

    @Mixin
    PeriodOptions time;

    /** Keeps a query that begins with a comment from being read as an option: its first character is a line's end. */
    static final class CommentFirst implements IParameterPreprocessor {
        private static final Pattern COMMENT = Pattern.compile("--[^\\s=]*\\s.*", Pattern.DOTALL);

        @Override
        public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
            args.replaceAll(text -> COMMENT.matcher(text).matches() ? "\n" + text : text);
            return false;
        }
    }

    private final Context context;

    public CostSqlCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        PlatformClient platform = context.platform();
        PlatformResponse answer = platform.api(
                "POST",
                time.path("/sql", Map.of()),
                BodyPublishers.ofString(select),
                Map.of("Content-Type", "text/plain"));
        platform.expectSuccess(answer, "costs");
        CostCommand.noteDamages(answer, context);
        answer.header("Knabla-Usage-Period")
                .ifPresent(period -> context.note("usage of %s (UTC)", period.replace("/", " until ")));
        print(CostCommand.exact(answer));
        return ExitCodes.SUCCESS;
    }

    private void print(JsonNode answer) {
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(answer));
            case yaml -> context.console().out().println(Documents.yaml(answer));
            case name -> answer.path("rows").forEach(row -> context.console().print("%s", text(row.path(0))));
            case table, wide -> {
                var table = Table.of(texts(answer.path("columns")));
                answer.path("rows").forEach(row -> table.row((Object[]) texts(row)));
                context.console().print("%s", table);
            }
        }
        if (answer.path("cut").asBoolean()) {
            context.note("note: there are more rows than these; add a limit or a where");
        }
    }

    private static String[] texts(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false)
                .map(CostSqlCommand::text)
                .toArray(String[]::new);
    }

    private static String text(JsonNode value) {
        return value.isNull() ? "" : value.asText();
    }
}
