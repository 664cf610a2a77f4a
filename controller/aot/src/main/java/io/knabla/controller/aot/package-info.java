/**
 * Trains AOT caches: run by the builds of the command line and of the controller, and for the controller's image; uses
 * only the JDK. Start at {@link io.knabla.controller.aot.AotCache}.
 */
package io.knabla.controller.aot;
