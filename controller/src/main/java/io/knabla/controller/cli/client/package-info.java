/** HTTP client of the platform; start at {@link io.knabla.controller.cli.client.Platform}. */
package io.knabla.controller.cli.client;
