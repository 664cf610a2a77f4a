/**
 * Stores objects as files in one folder, safe against crashes and concurrent processes; start at
 * {@link io.knabla.storage.file.FileObjectStore}.
 */
package io.knabla.storage.file;
