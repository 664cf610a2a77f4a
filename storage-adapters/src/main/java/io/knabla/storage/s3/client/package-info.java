/**
 * Builds the AWS SDK client of one bucket: settings, credentials, TLS, timeouts and interceptors; start at
 * {@code S3Clients}.
 */
package io.knabla.storage.s3.client;
