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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds and compares the Route of a function: traffic percentages by revision, and revisions by tag. */
final class Routes {
    private Routes() {}

    static Route of(FunctionId function, OwnerReference owner, Routing routing) {
        return new RouteBuilder()
                .withMetadata(Templates.metadata(function, function.name(), owner))
                .withNewSpec()
                .withTraffic(Stream.concat(shares(routing.percents()), tags(routing.tags()))
                        .toList())
                .endSpec()
                .build();
    }

    /** Whether the existing Route already has these percentages and tags. */
    static boolean matches(Optional<Route> route, Routing routing) {
        return route.map(there -> there.getSpec().getTraffic())
                .filter(there -> percents(there).equals(routing.percents())
                        && tags(there).equals(routing.tags()))
                .isPresent();
    }

    private static Stream<TrafficTarget> shares(Map<String, Integer> percents) {
        return new TreeMap<>(percents)
                .entrySet().stream()
                        .map(entry -> target(entry.getKey(), entry.getValue()).build());
    }

    /** Entries of their own, without a share: a version's share may go to several revisions, its tag to one. */
    private static Stream<TrafficTarget> tags(Map<String, String> revisions) {
        return new TreeMap<>(revisions)
                .entrySet().stream()
                        .map(entry -> target(entry.getValue(), 0)
                                .withTag(entry.getKey())
                                .build());
    }

    private static Map<String, String> tags(List<TrafficTarget> traffic) {
        return traffic.stream()
                .filter(target -> target.getTag() != null && !target.getTag().isEmpty())
                .collect(Collectors.toMap(TrafficTarget::getTag, TrafficTarget::getRevisionName));
    }

    private static Map<String, Integer> percents(List<TrafficTarget> traffic) {
        Map<String, Integer> percents = new TreeMap<>();
        for (TrafficTarget target : traffic) {
            percents.merge(
                    String.valueOf(target.getRevisionName()),
                    target.getPercent() == null ? 0 : target.getPercent().intValue(),
                    Integer::sum);
        }
        percents.values().removeIf(percent -> percent == 0);
        return percents;
    }

    private static TrafficTargetBuilder target(String revision, int percent) {
        return new TrafficTargetBuilder()
                .withRevisionName(revision)
                .withPercent((long) percent)
                .withLatestRevision(false);
    }
}
