package io.knabla.controller.gc;

import io.knabla.controller.gc.StoreSnapshot.Contents;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides for every object whether it is kept or deleted; a pure function of the {@link StoreSnapshot}. */
final class Marker {
    /** Decision about one object; {@code kind} is empty for unknown objects, which are kept. */
    record ObjectDecision(ObjectInfo object, Optional<ObjectKind> kind, Reason reason) {}

    /**
     * @param decisions one decision per object, in deletion order
     * @param troubles problems that a person should look at
     */
    record Plan(List<ObjectDecision> decisions, List<String> troubles) {
        List<ObjectDecision> garbage() {
            return decisions.stream().filter(one -> !one.reason().keeps()).toList();
        }
    }

    /** How long an upload may take, even if the grace period is shorter. */
    static final Duration UPLOAD = Duration.ofHours(1);

    private final StoreSnapshot evidence;
    private final RootUnits roots;
    private final Set<Digest> neededBlobs = new HashSet<>();
    private final Set<Digest> youngBlobs = new HashSet<>();
    private final Set<Digest> neededFiles = new HashSet<>();
    private final Set<Digest> youngFiles = new HashSet<>();
    private final List<String> troubles = new ArrayList<>();

    private Marker(StoreSnapshot evidence) {
        this.evidence = evidence;
        this.roots = RootUnits.of(
                evidence.references(), evidence.objects(), evidence.pointers(), evidence.now(), evidence.grace());
    }

    static Plan of(StoreSnapshot evidence) {
        var mark = new Marker(evidence);
        mark.units();
        mark.files();
        List<ObjectDecision> judged = evidence.objects().stream()
                .map(mark::judge)
                .sorted(Comparator.comparing(one -> one.kind().orElse(ObjectKind.PINS)))
                .toList();
        return new Plan(judged, List.copyOf(mark.troubles));
    }

    private void units() {
        Set<Digest> all = new HashSet<>(roots.needed());
        all.addAll(roots.young());
        for (Digest unit :
                all.stream().sorted(Comparator.comparing(Digest::value)).toList()) {
            boolean needed = roots.needed().contains(unit);
            switch (evidence.units().getOrDefault(unit, new Contents.Unreadable("was not read"))) {
                case Contents.Blobs(var digests) -> (needed ? neededBlobs : youngBlobs).addAll(digests);
                case Contents.Unreadable(var why) -> troubles.add(trouble(unit, why));
            }
        }
    }

    private String trouble(Digest unit, String why) {
        String user = evidence.references().units().get(unit);
        return "unit %s%s: %s. Nothing is deleted until this is resolved, because its blobs are unknown. %s"
                .formatted(
                        unit,
                        user == null ? "" : ", which " + user + " needs",
                        why,
                        user == null
                                ? "Once it is older than the grace period it no longer blocks collection."
                                : "Deploy that function again with the same model, or delete it; then collect again.");
    }

    private void files() {
        neededFiles.addAll(evidence.references().files());
        evidence.extraFiles().forEach((unit, files) -> {
            if (roots.needed().contains(unit)) {
                neededFiles.addAll(files);
            }
        });
        evidence.objects().stream()
                .filter(object -> ObjectKind.of(object.key())
                        .filter(ObjectKind.SOURCES::equals)
                        .isPresent())
                .filter(evidence::young)
                .forEach(note -> evidence.pointer(note.key()).ifPresent(youngFiles::add));
    }

    private ObjectDecision judge(ObjectInfo object) {
        Optional<ObjectKind> kind = ObjectKind.of(object.key());
        return new ObjectDecision(
                object, kind, kind.map(known -> reason(object, known)).orElse(Reason.FOREIGN));
    }

    private Reason reason(ObjectInfo object, ObjectKind kind) {
        Reason reason = reason(object.key(), kind);
        if (reason.keeps()) {
            return reason;
        }
        if (evidence.young(object) || unfinished(object, kind)) {
            return Reason.YOUNG;
        }
        return troubles.isEmpty() ? reason : Reason.DOUBT;
    }

    /** No lease protects objects that are written outside deploys: only their age shows that they are abandoned. */
    private boolean unfinished(ObjectInfo object, ObjectKind kind) {
        return (kind == ObjectKind.INCOMING || kind == ObjectKind.DOCTOR)
                && StoreSnapshot.young(object, evidence.now(), UPLOAD);
    }

    private Reason reason(ObjectKey key, ObjectKind kind) {
        return switch (kind) {
            case UNITS -> roots.of(digest(kind, key), Reason.NO_VERSION);
            case ORIGINS, CHECKS -> roots.of(digest(kind, key), Reason.NO_UNIT);
            case OPTIMIZED ->
                evidence.pointer(key)
                        .map(unit -> roots.of(unit, Reason.NO_UNIT))
                        .orElse(Reason.NO_UNIT);
            case BLOBS -> classify(digest(kind, key), neededBlobs, youngBlobs, Reason.NO_VERSION);
            case MODELS -> classify(digest(kind, key), neededFiles, youngFiles, Reason.NO_VERSION);
            case SOURCES ->
                evidence.pointer(key)
                        .map(file -> classify(file, neededFiles, youngFiles, Reason.NO_FILE))
                        .orElse(Reason.NO_FILE);
            case STATES -> evidence.references().states().contains(key) ? Reason.NEEDED : Reason.NO_FUNCTION;
            case INCOMING, DOCTOR, PINS -> Reason.LEFT_BEHIND;
        };
    }

    private static Digest digest(ObjectKind kind, ObjectKey key) {
        return kind.digest(key).orElseThrow();
    }

    private static Reason classify(Digest digest, Set<Digest> needed, Set<Digest> young, Reason otherwise) {
        if (needed.contains(digest)) {
            return Reason.NEEDED;
        }
        return young.contains(digest) ? Reason.YOUNG : otherwise;
    }
}
