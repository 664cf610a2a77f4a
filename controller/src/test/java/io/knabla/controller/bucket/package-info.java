/** Whole platforms on one bucket of a real S3 server; start at {@link io.knabla.controller.bucket.BucketIT}. */
package io.knabla.controller.bucket;
