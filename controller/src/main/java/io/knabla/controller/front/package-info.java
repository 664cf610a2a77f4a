/**
 * The HTTP server that people and programs reach: refuses, then passes each request to the gateway or to the control
 * API; start at {@link io.knabla.controller.front.Front}.
 */
package io.knabla.controller.front;
