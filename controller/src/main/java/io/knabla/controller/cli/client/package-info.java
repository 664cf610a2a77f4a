/** The platform as the command line sees it, over HTTP; start at {@link io.knabla.controller.cli.client.Platform}. */
package io.knabla.controller.cli.client;
