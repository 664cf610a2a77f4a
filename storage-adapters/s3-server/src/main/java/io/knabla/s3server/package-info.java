/**
 * An S3 server for tests and development: S3Proxy on a folder, with the promises that S3 gives and S3Proxy does not;
 * start at {@link io.knabla.s3server.Main}.
 */
package io.knabla.s3server;
