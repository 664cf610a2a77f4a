/** Explains failures of S3 requests: cause, place and remedy; start at {@code S3Faults}. */
package io.knabla.storage.s3.faults;
