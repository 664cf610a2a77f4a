/**
 * Injects network and server faults between a client and an S3 server; start at
 * {@link io.knabla.storage.s3.proxy.FaultProxy}.
 */
package io.knabla.storage.s3.proxy;
