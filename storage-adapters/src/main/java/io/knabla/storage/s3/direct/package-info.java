/**
 * Reads objects by signed HTTP requests of the JDK's own client, without the AWS SDK, whose classes delay a start;
 * start at {@link io.knabla.storage.s3.direct.DirectReader}.
 */
package io.knabla.storage.s3.direct;
