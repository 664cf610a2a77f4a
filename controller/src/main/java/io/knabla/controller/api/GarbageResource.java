package io.knabla.controller.api;

import io.knabla.controller.Settings;
import io.knabla.controller.gc.GarbageCollector;
import io.knabla.controller.gc.GarbageCollector.Collection;
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
        Collection ended = wish.dryRun() ? collector.look(wish.grace()) : collector.collect(wish.grace());
        return switch (ended) {
            case Collection.Done(var report) -> Response.ok(report).build();
            case Collection.Unclear(var sentence) ->
                Problem.of(409, sentence).response().build();
            case Collection.Busy(var sentence) ->
                Problem.of(503, sentence)
                        .response()
                        .header("Retry-After", RETRY_SECONDS)
                        .build();
        };
    }
}
