package io.knabla.controller.knative.manifest;

import io.knabla.controller.catalog.VersionShare;
import io.knabla.controller.knative.manifest.PlacementPlan.Share;
import io.knabla.controller.traffic.Percentages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Splits a function's requests between its revisions: a pure decision. Only ready revisions get new traffic; the share
 * of a version or slot that is not ready goes to the others. A version that already has traffic keeps it if it loses
 * all its replicas: the loss of a node must not cause a rollback.
 *
 * @param percents by revision name, 100 in total; empty to keep the current Route
 * @param tags revision names by tag; a tag whose version is not ready yet is left out
 * @param reason one sentence for people
 */
record Routing(Map<String, Integer> percents, Map<String, String> tags, String reason) {
    /**
     * A version in a slot that may get traffic.
     *
     * @param desired name of its desired revision
     * @param ready a ready revision, the desired or an earlier one
     * @param served a revision that gets its requests now
     */
    record RouteCandidate(int version, Share share, String desired, Optional<String> ready, Optional<String> served) {}

    /** A revision that takes requests, with its weight within the version. */
    private record WeightedRevision(String revision, int weight) {}

    Routing {
        percents = Map.copyOf(percents);
        tags = Map.copyOf(tags);
    }

    static Routing decide(List<VersionShare> shares, List<RouteCandidate> legs) {
        List<VersionShare> able = shares.stream()
                .filter(target -> target.percent() > 0)
                .filter(target -> !weightedRevisions(target.version(), legs).isEmpty())
                .toList();
        if (able.isEmpty()) {
            return new Routing(Map.of(), Map.of(), "no version that is to have traffic is ready yet");
        }
        List<Integer> percents =
                Percentages.share(100, able.stream().map(VersionShare::percent).toList());
        Map<String, Integer> split = new LinkedHashMap<>();
        for (int i = 0; i < able.size(); i++) {
            List<WeightedRevision> taking = weightedRevisions(able.get(i).version(), legs);
            List<Integer> parts = Percentages.share(
                    percents.get(i),
                    taking.stream().map(WeightedRevision::weight).toList());
            for (int j = 0; j < parts.size(); j++) {
                add(split, taking.get(j).revision, parts.get(j));
            }
        }
        return new Routing(split, tags(shares, legs), reason(shares, legs));
    }

    /** For the first Route, before anything is ready: the split as if every desired revision were ready. */
    static Routing assumingReady(List<VersionShare> shares, List<RouteCandidate> legs) {
        List<RouteCandidate> ready = legs.stream()
                .map(leg -> new RouteCandidate(
                        leg.version, leg.share, leg.desired, Optional.of(leg.desired), Optional.empty()))
                .toList();
        return decide(shares, ready);
    }

    /** Knative sends the requests of a tag to one revision: that of the slot with the largest share. */
    private static Map<String, String> tags(List<VersionShare> shares, List<RouteCandidate> legs) {
        Map<String, String> tags = new LinkedHashMap<>();
        for (VersionShare target : shares) {
            Optional<WeightedRevision> revision = weightedRevisions(target.version(), legs).stream()
                    .max(Comparator.comparing(WeightedRevision::weight));
            target.tag().ifPresent(tag -> revision.ifPresent(chosen -> tags.put(tag, chosen.revision)));
        }
        return tags;
    }

    private static List<WeightedRevision> weightedRevisions(int version, List<RouteCandidate> legs) {
        List<RouteCandidate> own =
                legs.stream().filter(leg -> leg.version == version).toList();
        List<WeightedRevision> ready = weightedRevisions(own, RouteCandidate::ready);
        return ready.isEmpty() ? weightedRevisions(own, RouteCandidate::served) : ready;
    }

    private static List<WeightedRevision> weightedRevisions(
            List<RouteCandidate> legs, Function<RouteCandidate, Optional<String>> revision) {
        return legs.stream()
                .flatMap(leg ->
                        revision.apply(leg).stream().map(name -> new WeightedRevision(name, leg.share.percent())))
                .toList();
    }

    private static void add(Map<String, Integer> split, String revision, int percent) {
        if (percent > 0) {
            split.merge(revision, percent, Integer::sum);
        }
    }

    private static String reason(List<VersionShare> shares, List<RouteCandidate> legs) {
        List<String> waiting = new ArrayList<>();
        for (RouteCandidate leg : legs) {
            boolean wished =
                    shares.stream().anyMatch(target -> target.version() == leg.version && target.percent() > 0);
            if (wished && !leg.ready.equals(Optional.of(leg.desired))) {
                waiting.add(leg.desired);
            }
        }
        return waiting.isEmpty()
                ? "every revision that is to have traffic is ready"
                : "waiting for " + String.join(", ", waiting);
    }
}
