/** Checks the features of an S3 server, for {@code ./knabla doctor}; start at {@code S3Checkup}. */
package io.knabla.storage.s3.check;
