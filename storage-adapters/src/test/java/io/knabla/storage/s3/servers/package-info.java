/**
 * Installs, starts and stops third-party S3 servers for tests; start at
 * {@link io.knabla.storage.s3.servers.RealServer}.
 */
package io.knabla.storage.s3.servers;
