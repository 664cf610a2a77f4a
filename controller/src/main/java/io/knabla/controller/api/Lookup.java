package io.knabla.controller.api;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.catalog.VersionShare;
import io.knabla.controller.errors.ErrorKind;
import io.knabla.controller.platform.ClusterView;
import io.knabla.controller.platform.FunctionStatus;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.Replica;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.runtime.paths.FunctionPath;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds functions and versions by path parameters and builds their API views. */
@Singleton
final class Lookup {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private final Catalog catalog;
    private final ClusterView cluster;
    private final FunctionStatus status;
    private final KeepWarm keepWarm;
    private final AnalysisViews analyses;

    Lookup(Catalog catalog, ClusterView cluster, FunctionStatus status, KeepWarm keepWarm, AnalysisViews analyses) {
        this.catalog = catalog;
        this.cluster = cluster;
        this.status = status;
        this.keepWarm = keepWarm;
        this.analyses = analyses;
    }

    /** Builds the id; an invalid name is answered like an unknown one. */
    FunctionId id(String namespace, String name) {
        FunctionId id = new FunctionId(namespace, name);
        if (LABEL.matcher(namespace).matches() && LABEL.matcher(name).matches()) {
            return id;
        }
        throw unknown(id);
    }

    FunctionRecord function(FunctionId id) {
        return catalog.find(id).orElseThrow(() -> unknown(id));
    }

    Version version(FunctionRecord record, String number) {
        return record.versions().stream()
                .filter(version -> Integer.toString(version.number()).equals(number))
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                        ErrorKind.UNKNOWN_FUNCTION,
                        404,
                        "%s has no version '%s'; it has %s"
                                .formatted(
                                        record.id(),
                                        number,
                                        record.versions().stream()
                                                .map(Version::number)
                                                .toList())));
    }

    ProblemException unknown(FunctionId id) {
        List<String> others = catalog.list().stream()
                .filter(record -> record.id().namespace().equals(id.namespace()))
                .map(record -> record.id().name())
                .limit(10)
                .toList();
        return new ProblemException(
                ErrorKind.UNKNOWN_FUNCTION,
                404,
                "there is no function '%s' in namespace '%s' (%s); deploy it, or correct the name"
                        .formatted(
                                id.name(),
                                id.namespace(),
                                others.isEmpty() ? "nothing is there yet" : "there are " + String.join(", ", others)));
    }

    static String url(FunctionId id, UriInfo uri) {
        return uri.getBaseUri()
                .resolve(FunctionPath.root(id.namespace(), id.name()))
                .toString();
    }

    Views.FunctionView view(FunctionRecord record, UriInfo uri) {
        FunctionStatus.Status now = status.of(record);
        var latest = record.latest();
        return new Views.FunctionView(
                record.id().name(),
                record.id().namespace(),
                latest.spec().type().name(),
                now.url().orElseGet(() -> url(record.id(), uri)),
                latest.number(),
                now.readyVersion().orElse(null),
                traffic(record, now, uri),
                new Views.ReplicaCounts(now.ready(), now.starting(), now.onDemand(), now.spot()),
                Views.KeepWarmView.of(keepWarm.of(record.id())),
                latest.pool().map(PoolDecision::text).orElse(null),
                latest.unit().value(),
                latest.created(),
                now.conditions(),
                analyses.warnings(latest),
                FunctionYaml.specToJson(latest.spec()),
                analyses.view(latest));
    }

    private static List<Views.TrafficShare> traffic(FunctionRecord record, FunctionStatus.Status now, UriInfo uri) {
        int newestReady = now.readyVersion().orElse(record.latest().number());
        return record.effectiveTraffic(newestReady).stream()
                .map(share -> new Views.TrafficShare(
                        share.version(),
                        share.percent(),
                        share.latest() ? true : null,
                        share.tag().orElse(null),
                        share.tag()
                                .map(tag -> tagUrl(record.id(), tag, now, uri))
                                .orElse(null)))
                .toList();
    }

    private static String tagUrl(FunctionId id, String tag, FunctionStatus.Status now, UriInfo uri) {
        return Optional.ofNullable(now.tagUrls().get(tag))
                .or(() -> now.url().isPresent() ? Optional.empty() : Optional.of(url(id.tagged(tag), uri)))
                .orElse(null);
    }

    Optional<Analysis> analysisOf(Version version) {
        return analyses.of(version);
    }

    List<Views.VersionView> versions(FunctionRecord record) {
        return record.versions().stream()
                .map(version -> new Views.VersionView(
                        version.number(),
                        version.unit().value(),
                        version.model().value(),
                        version.created(),
                        percent(record, version.number()),
                        alive(record.id(), version.number())))
                .toList();
    }

    private int percent(FunctionRecord record, int version) {
        int newestReady =
                status.of(record).readyVersion().orElse(record.latest().number());
        return record.effectiveTraffic(newestReady).stream()
                .filter(target -> target.version() == version)
                .mapToInt(VersionShare::percent)
                .sum();
    }

    private int alive(FunctionId id, int version) {
        return (int) cluster.replicas().stream()
                .filter(r -> r.function().equals(id) && r.version() == version)
                .filter(Lookup::alive)
                .count();
    }

    static boolean alive(Replica replica) {
        return switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> true;
            case STOPPED, FAILED -> false;
        };
    }
}
