package io.knabla.controller.errors;

import java.util.Locale;

/** A kind of error that the platform answers with, and the text of the page that explains it. */
public enum ErrorKind {
    BAD_REQUEST(
            "The request cannot be read",
            "Its path, a header, a parameter or its body has a form that the platform does not know.",
            "Read the sentence: it names the place and the allowed form. GET /q/openapi describes the control API, and"
                    + " /functions/NAMESPACE/NAME/openapi.json the tensors of a function."),
    INVALID_INPUT(
            "A document has faults",
            "function.yaml, its model, or the body of a request has values that are not allowed, or contradict each other.",
            "Each entry of faults has the path of a value and what to write instead; all faults of the document are there."
                    + " ./knabla validate -f FILE checks a file without a platform, ./knabla explain KEY tells what a key means."),
    TOKEN_NEEDED(
            "The token is missing or wrong",
            "The platform was started with KNABLA_TOKEN and answers only requests with that token.",
            "Set KNABLA_TOKEN for ./knabla, or send Authorization: Bearer TOKEN."),
    FORBIDDEN(
            "The request comes by a wrong name, or from a web page",
            "The Host header names another server, or a page of another origin sent the request. Both protect a platform"
                    + " on this machine from pages that a browser has open.",
            "Call localhost, 127.0.0.1 or the --host of the platform. To let a page call it, list its origin under origins:"
                    + " in config.yaml."),
    NOT_FOUND(
            "There is nothing at this path",
            "The path is misspelt, or the version of the platform does not have it.",
            "GET /q/openapi lists the paths of the control API."),
    UNKNOWN_FUNCTION(
            "There is no such function or version",
            "No function has this name in this namespace, or it has no such version; it may be deleted.",
            "./knabla list -n NAMESPACE shows the functions, ./knabla versions NAME the versions. The path /v2/models/NAME"
                    + " means the namespace default; others are below /functions/NAMESPACE/NAME/."),
    WRONG_METHOD(
            "The path does not support the method",
            "For instance GET was sent to infer, which is called with POST.",
            "Use the method that the header Allow names."),
    WRONG_FORM(
            "The media type is not supported",
            "The body has a Content-Type, or the request an Accept header, that this path does not know.",
            "Send application/json, or what GET /q/openapi lists for the path."),
    CONFLICT(
            "The state does not allow this now",
            "Another request changed the same thing, or something that this needs is missing.",
            "Read the current state, do what the sentence names, and send the request again."),
    MODEL_MISSING(
            "Model files must be uploaded first",
            "A deploy names model files by their digest, and the store does not have some of them.",
            "Send each file of missing with PUT /api/v1/models/DIGEST, then the deploy again. ./knabla deploy does both."),
    TOO_LARGE(
            "The body is too large",
            "The request exceeds the limit of its kind of document, of the function, or of the platform.",
            "Send fewer or smaller tensors, as binary data instead of JSON, or raise the limit that the sentence names."),
    TOO_SLOW(
            "The body came too slowly",
            "The body of the request did not arrive within the time of the function.",
            "Send it faster, or raise spec.timeout."),
    TOO_MANY_REQUESTS(
            "Too many requests wait",
            "More requests wait for this function than its replicas can answer soon.",
            "Call again after the seconds of Retry-After; raise spec.scaling.max or spec.scaling.concurrency."),
    FAILED(
            "The platform failed",
            "An error inside of Knabla, or damaged data in its store.",
            "Read the log of the platform ($KNABLA_HOME/logs, or that of the pod) and report it if it is not explained there."),
    UNSUPPORTED(
            "This is not supported here",
            "The store, the kind of platform or the type of function does not have this operation.",
            "The sentence names another way."),
    UNAVAILABLE(
            "The platform cannot answer now",
            "It is starting, stopping or busy, or a replica ended before it answered.",
            "Call again after the seconds of Retry-After. If it lasts, ./knabla describe NAME and ./knabla doctor say why."),
    STORE_UNAVAILABLE(
            "The store cannot be used",
            "The object store does not answer, refuses the credentials, or does not have the bucket.",
            "./knabla doctor --store URL tells which; functions that run already go on answering."),
    FUNCTION_DAMAGED(
            "The document of the function cannot be used",
            "The catalog's document of this function is damaged, cannot be read, or was written by a newer Knabla. All other"
                    + " functions go on answering.",
            "The sentence names the document. Restore it from a backup of the store, or delete the function and deploy it"
                    + " again; ./knabla list and ./knabla doctor show all such functions."),
    REPLICA_FAILS(
            "The replicas of a version end",
            "Its replicas crash at their start or use more memory than spec.resources.memory.",
            "./knabla logs NAME and ./knabla describe NAME show why they end; raise spec.resources.memory, or go back with"
                    + " ./knabla rollback NAME."),
    NO_CAPACITY(
            "There is no place for a replica",
            "All slots of the nodes are taken, or no node has what the function asks for.",
            "Wait, lower spec.scaling.min of other functions, add nodes, or change spec.placement."),
    TIMED_OUT(
            "The time of the function ran out",
            "No answer came within spec.timeout; the sentence says whether the request waited for a replica or ran in one.",
            "Raise spec.timeout, send smaller requests, or keep a replica running with scaling: {min: 1}."),
    DISK_FULL(
            "A disk is full",
            "The disk of the store, or of this machine, has no room.",
            "Free space; ./knabla gc deletes what no version needs.");

    private final String title;
    private final String cause;
    private final String remedy;

    ErrorKind(String title, String cause, String remedy) {
        this.title = title;
        this.cause = cause;
        this.remedy = remedy;
    }

    /** The kind of an error of which only the HTTP status is known. */
    public static ErrorKind of(int status) {
        return switch (status) {
            case 401 -> TOKEN_NEEDED;
            case 403 -> FORBIDDEN;
            case 404 -> NOT_FOUND;
            case 405 -> WRONG_METHOD;
            case 406, 415 -> WRONG_FORM;
            case 408 -> TOO_SLOW;
            case 409 -> CONFLICT;
            case 413 -> TOO_LARGE;
            case 429 -> TOO_MANY_REQUESTS;
            case 501 -> UNSUPPORTED;
            case 503 -> UNAVAILABLE;
            case 504 -> TIMED_OUT;
            case 507 -> DISK_FULL;
            default -> status / 100 == 4 ? BAD_REQUEST : FAILED;
        };
    }

    /** Address of its explanation on the same server: the {@code type} of RFC 9457, a relative reference. */
    public String type() {
        return ErrorPage.PATH + "#" + slug();
    }

    String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    String cause() {
        return cause;
    }

    String remedy() {
        return remedy;
    }
}
