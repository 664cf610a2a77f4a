package io.knabla.controller.cli.verbs.traffic;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.context.NameArgument;
import io.knabla.controller.cli.verbs.function.FunctionPrinter;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionYaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows or sets the traffic split between versions, and the tags of versions. */
@Command(
        name = "traffic",
        description = "Splits the calls between versions; without shares, shows the split. Tags stay until --untag.",
        footer = {
            "",
            "Examples:",
            "  ./knabla traffic digits 1=90 2=10",
            "  ./knabla traffic digits latest=100            (the newest ready version, also after the next deploy)",
            "  ./knabla traffic digits --tag 2=canary        (version 2 is called by a URL with canary-digits)"
        })
public final class TrafficCommand implements Callable<Integer> {
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,9}|latest)=[0-9]{1,3}");
    private static final Pattern TAG = Pattern.compile("([0-9]{1,9}|latest)=[a-z][-a-z0-9]*");

    @Mixin
    NameArgument function;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "VERSION=PERCENT",
            description = "Shares that add up to 100; latest is the newest ready version.")
    List<String> shares = List.of();

    @Option(names = "--tag", paramLabel = "VERSION=TAG", description = "Gives a version a URL of its own.")
    List<String> tagged = List.of();

    @Option(names = "--untag", paramLabel = "TAG", description = "Removes a tag with its URL.")
    List<String> untagged = List.of();

    private final Context context;

    public TrafficCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        PlatformClient platform = context.platform();
        String path = PlatformClient.functionPath(context.namespace(), function.name);
        refuse(shares, SHARE, "VERSION=PERCENT for each version, such as: ./knabla traffic %s 1=90 2=10");
        refuse(tagged, TAG, "VERSION=TAG, such as: ./knabla traffic %s --tag 2=canary");
        if (!shares.isEmpty() || !tagged.isEmpty() || !untagged.isEmpty()) {
            List<TrafficTarget> targets = targets(platform.get(path).path("traffic"));
            platform.send("PUT", path + "/traffic", Map.of("traffic", FunctionYaml.trafficToJson(targets)));
        }
        show(platform.get(path));
        return ExitCodes.SUCCESS;
    }

    private void refuse(List<String> given, Pattern form, String allowed) {
        List<String> wrong =
                given.stream().filter(text -> !form.matcher(text).matches()).toList();
        if (!wrong.isEmpty()) {
            throw CliFailure.usageError(
                    "found '%s'; write %s", String.join("' and '", wrong), allowed.formatted(function.name));
        }
    }

    /** The wanted shares, or the present ones, with the tags that stay and the new ones. */
    private List<TrafficTarget> targets(JsonNode present) {
        Map<String, TrafficTarget> tags = new LinkedHashMap<>();
        List<TrafficTarget> wanted = new ArrayList<>();
        for (JsonNode target : present) {
            String version = target.path("latest").asBoolean()
                    ? "latest"
                    : target.path("version").asText();
            TrafficTarget share = share(version, target.path("percent").asInt());
            if (share.percent() > 0 && shares.isEmpty()) {
                wanted.add(share);
            }
            if (target.has("tag")) {
                tags.put(target.path("tag").asText(), share.withPercent(0));
            }
        }
        shares.stream()
                .map(share -> share.split("="))
                .map(parts -> share(parts[0], Integer.parseInt(parts[1])))
                .forEach(wanted::add);
        tagged.stream().map(tag -> tag.split("=")).forEach(parts -> tags.put(parts[1], share(parts[0], 0)));
        tags.keySet().removeAll(untagged);
        tags.forEach((tag, target) -> addTag(target, tag, wanted));
        return wanted;
    }

    /** Tags the version's share, or adds an entry for it. */
    private static void addTag(TrafficTarget version, String tag, List<TrafficTarget> wanted) {
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.get(i).withPercent(0).equals(version)) {
                wanted.set(i, wanted.get(i).tagged(tag));
                return;
            }
        }
        wanted.add(version.tagged(tag));
    }

    private static TrafficTarget share(String version, int percent) {
        return version.equals("latest")
                ? TrafficTarget.latest(percent)
                : new TrafficTarget(Optional.of(Integer.parseInt(version)), false, percent, Optional.empty());
    }

    private void show(JsonNode view) {
        switch (context.format()) {
            case json, yaml -> new FunctionPrinter(context).document(view.path("traffic"));
            case name, table, wide -> {
                context.console().print("%s", FunctionPrinter.traffic(view.path("traffic")));
                PresentTraffic.ofView(view)
                        .urls()
                        .forEach((tag, url) -> context.console().print("%s: %s", tag, url));
            }
        }
    }
}
