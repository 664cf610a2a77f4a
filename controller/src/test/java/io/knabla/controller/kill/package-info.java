/**
 * Kills the whole platform at random points and looks at what is left; start at
 * {@link io.knabla.controller.kill.KillIT}.
 */
package io.knabla.controller.kill;
