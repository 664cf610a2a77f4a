package io.knabla.controller.api;

import io.knabla.controller.cost.page.CostPage;
import io.knabla.controller.cost.page.CostPage.Reload;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Serves the page of costs, which asks {@link CostsResource} for its data with the query of its own address. */
@Path("/costs")
public class CostsPageResource {
    private static final String HTML = "text/html; charset=utf-8";

    private static final Reload RELOAD = new Reload("/api/v1/costs?format=page-data", Duration.ofSeconds(30));

    @Operation(operationId = "getCostsPage", summary = "The report of costs, as a page")
    @GET
    @Produces(HTML)
    public Response page() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CostPage.writeLive(RELOAD, bytes);
        return Response.ok(bytes.toByteArray(), HTML)
                .header(PagePolicy.HEADER, CostPage.livePolicy())
                .build();
    }
}
