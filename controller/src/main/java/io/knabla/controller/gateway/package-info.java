/**
 * The laptop's way in: finds the version, holds requests while it starts, passes them on; start at
 * {@link io.knabla.controller.gateway.Gateway}.
 */
package io.knabla.controller.gateway;
