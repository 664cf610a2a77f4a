package io.knabla.controller.api;

import io.knabla.controller.pages.HtmlPage;
import io.knabla.controller.pages.SharedScript;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Serves the scripts that pages load beside themselves, each at the path that names its content. */
@Path("/assets")
public class AssetsResource {
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** In the browser alone: from a cache on the way, the script would be had without the token. */
    private static final String FOR_EVER = "private, max-age=31536000, immutable";

    @Operation(operationId = "getAsset", summary = "A script of the pages, by the SHA-256 of its content")
    @GET
    @Path("{hash}")
    @Produces(SCRIPT)
    public Response asset(@PathParam("hash") String hash) throws IOException {
        SharedScript charts = HtmlPage.charts();
        if (!charts.hash().equals(hash)) {
            throw new ProblemException(
                    404, "no page of this version loads this script; open the page again, which names those it loads");
        }
        return Response.ok(charts.text(), SCRIPT)
                .header("Cache-Control", FOR_EVER)
                .header("X-Content-Type-Options", "nosniff")
                .build();
    }
}
