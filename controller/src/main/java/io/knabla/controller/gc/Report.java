package io.knabla.controller.gc;

import io.knabla.controller.gc.Marker.ObjectDecision;
import io.knabla.controller.gc.Marker.Plan;
import io.knabla.functions.spec.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Result of a collection: numbers and sizes of kept and deleted objects, with reasons.
 *
 * @param dryRun true if nothing was deleted
 * @param grace as a duration such as {@code 24h}
 * @param kinds kept and deleted objects, one entry per kind
 * @param reasons kept and deleted objects, one entry per reason
 * @param garbage deleted objects, the largest first, at most {@value #SHOWN}
 * @param abortedUploads abandoned multipart uploads
 * @param troubles problems that a person should look at
 */
public record Report(
        boolean dryRun,
        String grace,
        List<KindCount> kinds,
        List<ReasonCount> reasons,
        List<Garbage> garbage,
        long garbageObjects,
        long garbageBytes,
        long deletedObjects,
        long deletedBytes,
        long abortedUploads,
        List<String> troubles,
        double seconds) {
    static final int SHOWN = 1000;

    /** Kept and deleted objects of one kind. */
    public record KindCount(String kind, long kept, long keptBytes, long garbage, long garbageBytes) {}

    /** Objects kept or deleted for one reason. */
    public record ReasonCount(String reason, boolean keeps, String because, long objects, long bytes) {}

    /** One deleted object. */
    public record Garbage(String key, long bytes, String reason) {}

    /**
     * @param plan of the last round
     * @param deleted in all rounds
     */
    static Report of(StoreSnapshot evidence, Plan plan, List<ObjectDecision> deleted, boolean dryRun, long aborted) {
        Duration grace = evidence.grace();
        List<ObjectDecision> left = plan.garbage();
        List<ObjectDecision> garbage = new ArrayList<>(dryRun ? left : deleted);
        List<ObjectDecision> all = new ArrayList<>(
                plan.decisions().stream().filter(j -> j.reason().keeps()).toList());
        all.addAll(garbage);
        return new Report(
                dryRun,
                Durations.format(grace),
                kinds(all),
                reasons(all),
                shown(garbage),
                garbage.size(),
                bytes(garbage),
                deleted.size(),
                bytes(deleted),
                aborted,
                plan.troubles(),
                0);
    }

    Report withDuration(Duration time) {
        return new Report(
                dryRun,
                grace,
                kinds,
                reasons,
                garbage,
                garbageObjects,
                garbageBytes,
                deletedObjects,
                deletedBytes,
                abortedUploads,
                troubles,
                time.toMillis() / 1000.0);
    }

    private static List<KindCount> kinds(List<ObjectDecision> all) {
        Map<ObjectKind, List<ObjectDecision>> byKind = new EnumMap<>(ObjectKind.class);
        all.forEach(one -> one.kind()
                .ifPresent(kind ->
                        byKind.computeIfAbsent(kind, _ -> new ArrayList<>()).add(one)));
        return byKind.entrySet().stream()
                .map(entry -> {
                    List<ObjectDecision> kept = some(entry.getValue(), true);
                    List<ObjectDecision> goes = some(entry.getValue(), false);
                    return new KindCount(entry.getKey().title(), kept.size(), bytes(kept), goes.size(), bytes(goes));
                })
                .toList();
    }

    private static List<ReasonCount> reasons(List<ObjectDecision> all) {
        Map<Reason, List<ObjectDecision>> byReason = new EnumMap<>(Reason.class);
        all.forEach(one ->
                byReason.computeIfAbsent(one.reason(), _ -> new ArrayList<>()).add(one));
        return byReason.entrySet().stream()
                .map(entry -> new ReasonCount(
                        entry.getKey().name(),
                        entry.getKey().keeps(),
                        entry.getKey().sentence(),
                        entry.getValue().size(),
                        bytes(entry.getValue())))
                .toList();
    }

    private static List<Garbage> shown(List<ObjectDecision> garbage) {
        return garbage.stream()
                .sorted(Comparator.comparingLong(
                        (ObjectDecision one) -> -one.object().size()))
                .limit(SHOWN)
                .map(one -> new Garbage(
                        one.object().key().path(),
                        one.object().size(),
                        one.reason().sentence()))
                .toList();
    }

    private static List<ObjectDecision> some(List<ObjectDecision> all, boolean keeps) {
        return all.stream().filter(one -> one.reason().keeps() == keeps).toList();
    }

    private static long bytes(List<ObjectDecision> all) {
        return all.stream().mapToLong(one -> one.object().size()).sum();
    }
}
