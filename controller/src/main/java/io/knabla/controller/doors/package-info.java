/**
 * Who may come in: addresses, tokens, and what a browser tells of where a request is from; start at
 * {@link io.knabla.controller.doors.Doors}.
 */
package io.knabla.controller.doors;
