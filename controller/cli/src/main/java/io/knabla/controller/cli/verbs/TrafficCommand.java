package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows or sets the traffic split between versions. */
@Command(
        name = "traffic",
        description = "Splits the calls between versions; without shares, shows the split.",
        footer = {"", "Example:", "  ./knabla traffic digits 1=90 2=10"})
final class TrafficCommand implements Callable<Integer> {
    private static final Pattern SHARE = Pattern.compile("[0-9]{1,9}=[0-9]{1,3}");

    @Mixin
    NameArgument function;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "VERSION=PERCENT",
            description = "Shares that add up to 100.")
    List<String> shares = List.of();

    private final Context context;

    TrafficCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        PlatformClient platform = context.platform();
        String path = PlatformClient.functionPath(context.namespace(), function.name);
        if (!shares.isEmpty()) {
            List<Map<String, Integer>> targets = targets();
            platform.send("PUT", path + "/traffic", Map.of("traffic", targets));
        }
        show(platform.get(path));
        return ExitCodes.SUCCESS;
    }

    private List<Map<String, Integer>> targets() {
        List<String> wrong =
                shares.stream().filter(share -> !SHARE.matcher(share).matches()).toList();
        if (!wrong.isEmpty()) {
            throw CliFailure.usageError(
                    "found '%s'; write VERSION=PERCENT for each version, such as: ./knabla traffic %s 1=90 2=10",
                    String.join("' and '", wrong), function.name);
        }
        return shares.stream()
                .map(share -> share.split("="))
                .map(share -> Map.of("version", Integer.parseInt(share[0]), "percent", Integer.parseInt(share[1])))
                .toList();
    }

    private void show(JsonNode view) {
        switch (context.format()) {
            case json, yaml -> new FunctionPrinter(context).document(view.path("traffic"));
            case name, table, wide -> context.console().print("%s", FunctionPrinter.traffic(view.path("traffic")));
        }
    }
}
