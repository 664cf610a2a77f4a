package io.knabla.controller.api;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;

/**
 * Adds the HTTP header {@code Content-Security-Policy} to every page. A page may say the same itself, but is then
 * protected from its own first line on only, and cannot forbid other pages to frame it.
 */
@Provider
public class PagePolicy implements ContainerResponseFilter {
    static final String HEADER = "Content-Security-Policy";
    private static final String UNFRAMED = "; frame-ancestors 'none'";
    private static final String WITHOUT_SCRIPTS =
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        MediaType type = response.getMediaType();
        if (type != null && MediaType.TEXT_HTML_TYPE.isCompatible(type)) {
            String own = response.getHeaderString(HEADER);
            response.getHeaders().putSingle(HEADER, (own == null ? WITHOUT_SCRIPTS : own) + UNFRAMED);
        }
    }
}
