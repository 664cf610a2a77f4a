/** The verb that builds the container images, and the service that does it. */
package io.knabla.controller.cli.verbs.images;
