/** Carries the plans of spot policies out as the platform does: within a function's bounds, and without flapping. */
package io.knabla.controller.spot.live;
