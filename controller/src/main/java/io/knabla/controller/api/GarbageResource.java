package io.knabla.controller.api;

import io.knabla.controller.config.Settings;
import io.knabla.controller.gc.GarbageCollector;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;

/** Reports or deletes stored objects that no version needs. */
@Path("/api/v1/gc")
@Produces("application/json")
@RunOnVirtualThread
public class GarbageResource {
    private static final int RETRY_SECONDS = 30;

    private final GarbageCollector collector;
    private final Settings settings;

    GarbageResource(GarbageCollector collector, Settings settings) {
        this.collector = collector;
        this.settings = settings;
    }

    @POST
    public Response collect(InputStream body) {
        var wish = GarbageBody.parse(Bodies.text(body), settings.gc().grace());
        CollectionResult ended = wish.dryRun() ? collector.dryRun(wish.grace()) : collector.collect(wish.grace());
        return switch (ended) {
            case CollectionResult.Done(var report) -> Response.ok(report).build();
            case CollectionResult.Unclear(var sentence) ->
                Problem.of(409, sentence).response().build();
            case CollectionResult.Busy(var sentence) ->
                Problem.of(503, sentence)
                        .response()
                        .header("Retry-After", RETRY_SECONDS)
                        .build();
        };
    }
}
