/**
 * Container images made without Docker: trees are staged, given an AOT cache by the very JVM they hold, and handed to
 * Jib; start at {@link io.knabla.controller.cli.images.Images}.
 */
package io.knabla.controller.cli.images;
