/**
 * Stores objects (bytes under keys) in a folder, in memory or in S3; start at {@link io.knabla.storage.ObjectStore}.
 */
package io.knabla.storage;
