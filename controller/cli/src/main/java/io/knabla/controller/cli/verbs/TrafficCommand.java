package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows or sets the traffic split between versions. */
@Command(
        name = "traffic",
        description = "Splits the calls between versions; without shares, shows the split.",
        footer = {"", "Example:", "  ./knabla traffic digits 1=90 2=10"})
final class TrafficCommand implements Callable<Integer> {
    @Mixin
    NameArgument function;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "VERSION=PERCENT",
            description = "Shares that add up to 100.")
    Map<Integer, Integer> shares;

    private final Context context;

    TrafficCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        PlatformClient platform = context.platform();
        String path = PlatformClient.functionPath(context.namespace(), function.name);
        if (shares != null) {
            List<Map<String, Integer>> targets = shares.entrySet().stream()
                    .map(share -> Map.of(
                            "version", share.getKey(),
                            "percent", share.getValue()))
                    .toList();
            platform.send("PUT", path + "/traffic", Map.of("traffic", targets));
        }
        show(platform.get(path));
        return ExitCodes.SUCCESS;
    }

    private void show(JsonNode view) {
        switch (context.format()) {
            case json, yaml -> new FunctionPrinter(context).document(view.path("traffic"));
            case name, table, wide -> context.console().print("%s", FunctionPrinter.traffic(view.path("traffic")));
        }
    }
}
