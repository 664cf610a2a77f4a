/** Checks what an S3 server supports, for {@code ./knabla doctor}; start at {@code S3Checkup}. */
package io.knabla.storage.s3.check;
