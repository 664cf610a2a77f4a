/**
 * An S3 server for tests and development: S3Proxy on a folder, plus the guarantees of S3 that S3Proxy lacks; start at
 * {@link io.knabla.s3server.Main}.
 */
package io.knabla.s3server;
