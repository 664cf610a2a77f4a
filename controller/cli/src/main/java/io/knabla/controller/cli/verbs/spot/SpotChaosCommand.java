package io.knabla.controller.cli.verbs.spot;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.verbs.context.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes random spot nodes back, again and again. */
@Command(
        name = "chaos",
        description = "Takes random spot nodes that have replicas back, at a steady rate.",
        footer = {"", "Example:", "  ./knabla spot chaos --rate 6/min --for 60s --notice 10s"})
public final class SpotChaosCommand implements Callable<Integer> {
    private static final Pattern RATE = Pattern.compile("(\\d{1,4})/(s|min|h)");

    @Option(
            names = "--rate",
            paramLabel = "N/UNIT",
            required = true,
            description = "Interruptions in a unit of time: s, min or h, such as 6/min.")
    String rate;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long (default: ${DEFAULT-VALUE}).")
    String length;

    @Option(
            names = "--notice",
            paramLabel = "DURATION",
            defaultValue = "10s",
            description = "As of spot interrupt (default: ${DEFAULT-VALUE}).")
    String notice;

    private final Context context;

    public SpotChaosCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration interval = interval(rate);
        Map<String, Object> body = Map.of("noticeSeconds", SpotDrills.seconds("--notice", notice));
        long next = System.nanoTime();
        long end =
                next + Duration.ofSeconds(SpotDrills.seconds("--for", length)).toNanos();
        var drills = new SpotDrills(context);
        int interrupted = 0;
        while (end - System.nanoTime() > 0) {
            List<String> nodes = drills.inUse();
            if (nodes.isEmpty()) {
                context.note("no spot node has replicas now");
            } else {
                String node = nodes.get(ThreadLocalRandom.current().nextInt(nodes.size()));
                drills.send(node, "interruption", body);
                context.note("interrupted %s, notice %s", node, notice);
                interrupted++;
            }
            // From one planned time to the next: the calls take time, too.
            next += interval.toNanos();
            Thread.sleep(Duration.ofNanos(Math.max(0, Math.min(next, end) - System.nanoTime())));
        }
        context.console().print("%d interruptions", interrupted);
        return ExitCodes.SUCCESS;
    }

    static Duration interval(String rate) {
        Matcher parts = RATE.matcher(rate);
        int count = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
        if (count == 0) {
            throw CliFailure.usageError("'%s' is no rate for --rate; write one such as 6/min, 1/s or 30/h", rate);
        }
        Duration unit = switch (parts.group(2)) {
            case "s" -> Duration.ofSeconds(1);
            case "min" -> Duration.ofMinutes(1);
            default -> Duration.ofHours(1);
        };
        return unit.dividedBy(count);
    }
}
