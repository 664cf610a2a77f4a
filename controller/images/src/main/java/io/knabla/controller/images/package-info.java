/**
 * Builds container images without Docker: stages their files, trains an AOT cache with the image's own JVM, passes both
 * to Jib; start at {@link io.knabla.controller.images.ImageBuilder}.
 */
package io.knabla.controller.images;
