/** Installs, starts and stops S3 servers that others wrote, for tests that must hold on real ones. */
package io.knabla.storage.s3.servers;
