/**
 * HTTP gateway of the local platform: routes each request to a version, queues it while a replica starts, and forwards
 * it; start at {@link io.knabla.controller.local.gateway.Gateway}.
 */
package io.knabla.controller.local.gateway;
