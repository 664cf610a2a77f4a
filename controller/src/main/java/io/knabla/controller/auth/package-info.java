/**
 * Accepts or refuses HTTP requests by host, origin and token; start at {@link io.knabla.controller.auth.RequestGuard}.
 */
package io.knabla.controller.auth;
