/** Attacks a real platform as hostile clients do; the attacks are those of {@code io.knabla.hostile}. */
package io.knabla.controller.hostile;
