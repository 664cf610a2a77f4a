package io.knabla.controller.api;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.platform.FunctionLogs;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Serves the log of a function's replicas. */
@Path("/api/v1/functions/{namespace}/{name}/logs")
@RunOnVirtualThread
public class LogsResource {
    private static final int MOST = 100_000;

    private final Lookup lookup;
    private final FunctionLogs logs;
    private final AtomicBoolean stopping = new AtomicBoolean();

    LogsResource(Lookup lookup, FunctionLogs logs) {
        this.lookup = lookup;
        this.logs = logs;
        // Quarkus fires its shutdown event only after open requests end; this hook runs at once.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopping.set(true)));
    }

    /** Returns server-sent events with {@code follow}, otherwise the last lines as text. */
    @Operation(
            operationId = "getLogs",
            summary = "The last lines of the logs of a function, or with follow a stream of events")
    @APIResponse(
            responseCode = "200",
            description = "Lines",
            content = @Content(mediaType = "text/plain", schema = @Schema(type = SchemaType.STRING)))
    @GET
    public Response logs(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            @QueryParam("follow") @DefaultValue("false") boolean follow,
            @QueryParam("tail") @DefaultValue("1000") String lines,
            @Context HttpServerResponse reader) {
        FunctionId id = lookup.function(lookup.id(namespace, name)).id();
        int tail = tail(lines);
        StreamingOutput text = ClientStream.of(out -> {
            try (FunctionLogs.Cursor reading = logs.open(id)) {
                var told = new LogTail(reading);
                if (follow) {
                    told.follow(tail, out, () -> reader.closed() || stopping.get());
                } else {
                    told.write(tail, out);
                }
            }
        });
        return Response.ok(text)
                .type(follow ? "text/event-stream" : "text/plain;charset=UTF-8")
                .header("Cache-Control", "no-store")
                .build();
    }

    /** Parsed here, because JAX-RS answers 404 when it cannot parse a number. */
    private static int tail(String lines) {
        if (lines.matches("\\d{1,6}") && Integer.parseInt(lines) <= MOST) {
            return Integer.parseInt(lines);
        }
        throw new ProblemException(400, "tail was '%s', allowed is 0 to %d".formatted(lines, MOST));
    }
}
