package io.knabla.functions.spec;

import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import java.util.List;
import java.util.function.Predicate;

/** What function.yaml can say while nothing behind it works. Whoever makes it work deletes the line. */
final class NotYet {
    private record Line(String path, Predicate<FunctionSpec> used, String instead) {}

    private static final List<Line> LINES =
            List.of(
                    new Line(
                            "spec.model",
                            s -> s.model().startsWith("https:"),
                            "models to download; write the path of a local file, or s3://bucket/key"),
                    new Line(
                            "spec.resources.gpu",
                            s -> s.resources().gpu() > 0,
                            "GPUs; write gpu: 0"),
                    new Line(
                            "spec.placement.pool",
                            s -> s.placement().pool() == Pool.gpu,
                            "GPUs; write pool: auto or cpu"),
                    new Line(
                            "spec.keepWarm.policy",
                            s -> s.keepWarm().policy() == WarmPolicy.Always,
                            "policy Always; write scaling: {min: 1}, which does the same"),
                    new Line(
                            "spec.keepWarm.policy",
                            s -> s.keepWarm().policy() == WarmPolicy.Fixed,
                            "policy Fixed; write scaling: {idleAfter: 10m}, which does the same"),
                    new Line(
                            "spec.keepWarm.schedule",
                            s -> !s.keepWarm().schedule().isEmpty(),
                            "schedules; write scaling: {min: 1} to stay warm at all times"));

    private NotYet() {}

    static List<Fault> in(FunctionSpec spec) {
        return LINES.stream()
                .filter(line -> line.used().test(spec))
                .map(line -> new Fault(line.path(), "not supported yet: " + line.instead()))
                .toList();
    }
}
