/**
 * Runs public clients, unchanged, against the assembled platform and against a bare replica; start at
 * {@link io.knabla.controller.clients.PythonClientsOnPlatform}.
 */
package io.knabla.controller.clients;
