package io.knabla.controller.api;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.DeployResult.Busy;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.deploy.DeployResult.ModelMissing;
import io.knabla.controller.deploy.DeployResult.Refused;
import io.knabla.controller.deploy.DeployResult.Unchanged;
import io.knabla.controller.deploy.Deployer;
import io.knabla.controller.errors.Problem;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.functions.unit.Digest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;

/** Deploys, lists, shows and deletes functions. */
@Path("/api/v1/functions")
@Produces("application/json")
@RunOnVirtualThread
public class FunctionsResource {
    private final Deployer deployer;
    private final Catalog catalog;
    private final FunctionResources resources;
    private final Lookup lookup;

    FunctionsResource(Deployer deployer, Catalog catalog, FunctionResources resources, Lookup lookup) {
        this.deployer = deployer;
        this.catalog = catalog;
        this.resources = resources;
        this.lookup = lookup;
    }

    @Operation(
            operationId = "listFunctions",
            summary = "Lists functions, of one namespace if it is given, also those whose documents are damaged")
    @GET
    public Views.Items<Views.FunctionView> list(@QueryParam("namespace") String namespace, @Context UriInfo uri) {
        Predicate<FunctionId> isWanted =
                id -> namespace == null || id.namespace().equals(namespace);
        Stream<Views.FunctionView> good = catalog.list().stream()
                .filter(record -> isWanted.test(record.id()))
                .map(record -> lookup.view(record, uri));
        Stream<Views.FunctionView> damaged = catalog.troubles().stream()
                .filter(trouble -> isWanted.test(trouble.function()))
                .map(trouble -> Views.FunctionView.damaged(trouble, Lookup.url(trouble.function(), uri)));
        return new Views.Items<>(Stream.concat(good, damaged)
                .sorted(Comparator.comparing(Views.FunctionView::namespace).thenComparing(Views.FunctionView::name))
                .toList());
    }

    @Operation(operationId = "deployFunction", summary = "Deploys a function: JSON, or function.yaml as it is")
    @RequestBody(
            content = {
                @Content(mediaType = "application/json", schema = @Schema(ref = "Function")),
                @Content(mediaType = "application/yaml", schema = @Schema(type = SchemaType.STRING))
            })
    @APIResponse(
            responseCode = "200",
            description = "The newest version is like this already",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Views.Deployed.class)))
    @APIResponse(
            responseCode = "201",
            description = "A new version",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Views.Deployed.class)))
    @POST
    @Consumes({"application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/plain"})
    public Response deploy(InputStream body, @Context UriInfo uri) {
        return switch (FunctionYaml.parse(Bodies.text(body))) {
            case Invalid(var faults) ->
                ProblemResponse.of(Problem.faults(faults)).build();
            case Valid(var resource) -> deploy(resource, uri);
        };
    }

    @Operation(operationId = "getFunction", summary = "Shows a function")
    @APIResponseSchema(value = Views.FunctionView.class, responseCode = "200")
    @GET
    @Path("{namespace}/{name}")
    public Response get(
            @PathParam("namespace") String namespace, @PathParam("name") String name, @Context UriInfo uri) {
        FunctionRecord record = lookup.function(lookup.id(namespace, name));
        return Response.ok(lookup.view(record, uri)).build();
    }

    @Operation(operationId = "putFunction", summary = "Deploys the function of this name")
    @RequestBody(
            content = {
                @Content(mediaType = "application/json", schema = @Schema(ref = "Function")),
                @Content(mediaType = "application/yaml", schema = @Schema(type = SchemaType.STRING))
            })
    @APIResponse(
            responseCode = "200",
            description = "The newest version is like this already",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Views.Deployed.class)))
    @APIResponse(
            responseCode = "201",
            description = "A new version",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Views.Deployed.class)))
    @PUT
    @Path("{namespace}/{name}")
    @Consumes({"application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/plain"})
    public Response put(
            @PathParam("namespace") String namespace,
            @PathParam("name") String name,
            InputStream body,
            @Context UriInfo uri) {
        return switch (FunctionYaml.parse(Bodies.text(body))) {
            case Invalid(var faults) ->
                ProblemResponse.of(Problem.faults(faults)).build();
            case Valid(var resource) -> {
                List<Fault> faults = otherName(resource, namespace, name);
                yield faults.isEmpty()
                        ? deploy(resource, uri)
                        : ProblemResponse.of(Problem.faults(faults)).build();
            }
        };
    }

    @Operation(operationId = "deleteFunction", summary = "Deletes a function with all its versions")
    @APIResponse(responseCode = "204", description = "Deleted")
    @DELETE
    @Path("{namespace}/{name}")
    public Response delete(@PathParam("namespace") String namespace, @PathParam("name") String name) {
        FunctionId id = lookup.id(namespace, name);
        if (resources.delete(id)) {
            // The operator deleted the document with the resource; a document found now is of a newer function.
            catalog.readFromStore(id);
        } else if (!catalog.delete(id)) {
            throw lookup.unknown(id);
        }
        return Response.noContent().build();
    }

    @Operation(operationId = "listVersions", summary = "Lists the versions of a function")
    @GET
    @Path("{namespace}/{name}/versions")
    public Views.Items<Views.VersionView> versions(
            @PathParam("namespace") String namespace, @PathParam("name") String name) {
        return new Views.Items<>(lookup.versions(lookup.function(lookup.id(namespace, name))));
    }

    private Response deploy(FunctionResource resource, UriInfo uri) {
        List<Fault> early = resources.faults(resource);
        if (!early.isEmpty()) {
            return ProblemResponse.of(Problem.faults(early)).build();
        }
        return switch (deployer.deploy(resource)) {
            case Deployed(var record, var version, var warnings) ->
                written(resource, 201, answer(record, version, "deployed", warnings, uri));
            case Unchanged(var record, var version, var warnings) ->
                written(resource, 200, answer(record, version, "unchanged", warnings, uri));
            case ModelMissing(var digests) ->
                ProblemResponse.of(Problem.missing(
                                digests.stream().map(Digest::value).toList()))
                        .build();
            case Refused(var faults) ->
                ProblemResponse.of(Problem.faults(faults)).build();
            case Busy(var sentence, var retryAfter) ->
                ProblemResponse.of(Problem.of(503, sentence))
                        .header("Retry-After", retryAfter.toSeconds())
                        .build();
        };
    }

    private Response written(FunctionResource resource, int status, Views.Deployed answer) {
        List<Fault> late = resources.write(resource);
        return late.isEmpty()
                ? Response.status(status).entity(answer).build()
                : ProblemResponse.of(Problem.faults(late)).build();
    }

    private static Views.Deployed answer(
            FunctionRecord record, Version version, String result, List<String> warnings, UriInfo uri) {
        return new Views.Deployed(
                record.id().name(),
                record.id().namespace(),
                version.number(),
                version.unit().value(),
                Lookup.url(record.id(), uri),
                result,
                warnings);
    }

    private static List<Fault> otherName(FunctionResource resource, String namespace, String name) {
        List<Fault> faults = new ArrayList<>();
        if (!resource.namespace().equals(namespace)) {
            faults.add(new Fault(
                    "metadata.namespace",
                    "is '%s', but the path says '%s'".formatted(resource.namespace(), namespace)));
        }
        if (!resource.name().equals(name)) {
            faults.add(new Fault("metadata.name", "is '%s', but the path says '%s'".formatted(resource.name(), name)));
        }
        return faults;
    }
}
