/** HTTP client of the platform; start at {@link io.knabla.controller.cli.client.PlatformClient}. */
package io.knabla.controller.cli.client;
