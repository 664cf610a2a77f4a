package io.knabla.controller.api;

import io.knabla.controller.errors.ErrorPage;
import io.knabla.functions.spec.FunctionReference;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Serves the pages that error responses lead to, and the reference of function.yaml. */
@Path("/docs")
@Produces("text/html; charset=utf-8")
public class DocsResource {
    @GET
    @Path("errors")
    @Operation(operationId = "getErrorDocs", summary = "What each kind of error means, as a page")
    public String errors() {
        return ErrorPage.html();
    }

    @GET
    @Path("function-yaml")
    @Operation(operationId = "getFunctionYamlDocs", summary = "Every key of function.yaml, as a page")
    public String functionYaml() {
        return FunctionReference.html();
    }
}
