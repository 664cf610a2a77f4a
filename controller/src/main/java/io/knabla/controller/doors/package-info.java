/**
 * Accepts or refuses HTTP requests by host, origin and token; start at
 * {@link io.knabla.controller.doors.Doors}.
 */
package io.knabla.controller.doors;
