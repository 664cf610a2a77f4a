package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.fabric8.knative.serving.v1.TrafficTargetBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Builds and compares the Route of a function: traffic percentages by revision. */
final class Routes {
    private Routes() {}

    static Route of(FunctionId function, OwnerReference owner, Map<String, Integer> percents) {
        return new RouteBuilder()
                .withMetadata(Templates.metadata(function, function.name(), owner))
                .withNewSpec()
                .withTraffic(new TreeMap<>(percents)
                        .entrySet().stream()
                                .map(entry -> target(entry.getKey(), entry.getValue()))
                                .toList())
                .endSpec()
                .build();
    }

    /** Whether the existing Route already has these percentages. */
    static boolean matches(Optional<Route> route, Map<String, Integer> percents) {
        return route.map(there -> percents(there.getSpec().getTraffic()))
                .filter(percents::equals)
                .isPresent();
    }

    private static Map<String, Integer> percents(List<TrafficTarget> traffic) {
        Map<String, Integer> percents = new TreeMap<>();
        for (TrafficTarget target : traffic) {
            percents.merge(
                    String.valueOf(target.getRevisionName()),
                    target.getPercent() == null ? 0 : target.getPercent().intValue(),
                    Integer::sum);
        }
        return percents;
    }

    private static TrafficTarget target(String revision, int percent) {
        return new TrafficTargetBuilder()
                .withRevisionName(revision)
                .withPercent((long) percent)
                .withLatestRevision(false)
                .build();
    }
}
