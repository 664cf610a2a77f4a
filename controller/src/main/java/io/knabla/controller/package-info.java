/**
 * Decides what runs and where: the process itself, its settings and what every part shares; start at
 * {@link io.knabla.controller.Main}.
 */
package io.knabla.controller;
