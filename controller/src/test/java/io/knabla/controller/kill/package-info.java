/**
 * Kills the whole platform at random points and checks what is left; start at {@link io.knabla.controller.kill.KillIT}.
 */
package io.knabla.controller.kill;
