package io.knabla.controller.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.errors.ErrorKind;
import io.knabla.controller.errors.Problem;
import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.UnitException;
import io.knabla.storage.StorageException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.Locale;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Maps exceptions of the resources to problem responses; no stack trace leaves the server. */
final class ExceptionMappers {
    private static final System.Logger LOG = System.getLogger(ExceptionMappers.class.getName());

    @ServerExceptionMapper
    Response problem(ProblemException known) {
        return ProblemResponse.of(known.problem()).build();
    }

    /** Maps faults that Quarkus found before it called a resource. */
    @ServerExceptionMapper
    Response http(WebApplicationException error) {
        int status = error.getResponse().getStatus();
        Response.ResponseBuilder answer = ProblemResponse.of(Problem.of(status, sentence(status, error)));
        // Keeps headers such as Allow, which belongs to 405.
        error.getResponse().getHeaders().entrySet().stream()
                .filter(header -> !header.getKey().toLowerCase(Locale.ROOT).startsWith("content-"))
                .forEach(header -> header.getValue().forEach(v -> answer.header(header.getKey(), v)));
        return answer.build();
    }

    /** Maps JSON that does not fit the type of a resource's body. */
    @ServerExceptionMapper
    Response mismatched(MismatchedInputException wrong) {
        return ProblemResponse.of(Problem.of(400, Bodies.unreadable(wrong))).build();
    }

    private static String sentence(int status, WebApplicationException error) {
        return switch (status) {
            case 404 -> "there is nothing at this path; /q/openapi lists what there is";
            case 405 -> "this path does not support that method; /q/openapi lists the methods of each path";
            case 406 -> "this path does not answer in that form; ask for application/json";
            case 415 -> "the body has the wrong Content-Type; /q/openapi lists what this path takes";
            default ->
                error.getCause() instanceof JsonProcessingException broken
                        ? Bodies.unreadable(broken)
                        : String.valueOf(error.getMessage());
        };
    }

    @ServerExceptionMapper
    Response catalog(CatalogException trouble) {
        ErrorKind kind = switch (trouble.kind()) {
            case BUSY -> ErrorKind.UNAVAILABLE;
            case DAMAGED, UNREADABLE, NEWER -> ErrorKind.FUNCTION_DAMAGED;
        };
        return ProblemResponse.of(Problem.of(kind, 503, trouble.getMessage())).build();
    }

    @ServerExceptionMapper
    Response store(StorageException outage) {
        return unavailable(outage);
    }

    @ServerExceptionMapper
    Response unit(UnitException trouble) {
        return unavailable(trouble);
    }

    private static Response unavailable(RuntimeException failed) {
        LOG.log(System.Logger.Level.ERROR, failed.getMessage());
        Problem problem = FailureCode.of(failed) == FailureCode.DISK_FULL
                ? Problem.of(507, failed.getMessage())
                : Problem.of(ErrorKind.STORE_UNAVAILABLE, 503, failed.getMessage());
        return ProblemResponse.of(problem).build();
    }

    /** Nobody reads this response; a client may leave when it likes, so this is no error. */
    @ServerExceptionMapper
    Response gone(ClientStream.ClientGoneException gone) {
        LOG.log(System.Logger.Level.DEBUG, gone.getMessage(), gone);
        return ProblemResponse.of(Problem.of(400, gone.getMessage())).build();
    }

    @ServerExceptionMapper
    Response unexpected(Exception bug) {
        LOG.log(System.Logger.Level.ERROR, "a request failed", bug);
        return ProblemResponse.of(Problem.of(
                        500,
                        "the controller failed on this request: %s. Its log says more; please report it."
                                .formatted(bug)))
                .build();
    }
}
