/** Explains failures of S3 requests: what happened, where, and what to do; start at {@code S3Faults}. */
package io.knabla.storage.s3.faults;
