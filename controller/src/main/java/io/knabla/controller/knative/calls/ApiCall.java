package io.knabla.controller.knative.calls;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * One API request in the form of an RBAC rule: verb, API group and resource; comparable with the rights of a role.
 *
 * @param group empty for the core API
 * @param resource with its subresource, such as {@code pods/log}; empty for a path that is no resource, such as
 *     {@code /version}
 */
public record ApiCall(String verb, String group, String resource) {
    /** @param method of HTTP */
    public static ApiCall of(String method, URI uri) {
        List<String> path = List.of(uri.getPath().substring(1).split("/"));
        return switch (path.getFirst()) {
            case "api" -> of(method, uri, "", path.subList(Math.min(2, path.size()), path.size()));
            case "apis" ->
                of(
                        method,
                        uri,
                        path.size() > 1 ? path.get(1) : "",
                        path.subList(Math.min(3, path.size()), path.size()));
            default -> new ApiCall(lower(method), "", "");
        };
    }

    private static ApiCall of(String method, URI uri, String group, List<String> path) {
        if (path.isEmpty()) {
            return new ApiCall(lower(method), group, "");
        }
        boolean within = path.size() > 2 && path.getFirst().equals("namespaces");
        List<String> place = within ? path.subList(2, path.size()) : path;
        boolean named = place.size() > 1;
        String resource = place.size() > 2 ? place.getFirst() + "/" + place.get(2) : place.getFirst();
        return new ApiCall(verb(method, named, isWatch(uri)), group, resource);
    }

    private static String verb(String method, boolean named, boolean watch) {
        return switch (method) {
            case "GET", "HEAD" -> watch ? "watch" : named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> lower(method);
        };
    }

    private static boolean isWatch(URI uri) {
        return uri.getQuery() != null && uri.getQuery().contains("watch=true");
    }

    private static String lower(String method) {
        return method.toLowerCase(Locale.ROOT);
    }
}
