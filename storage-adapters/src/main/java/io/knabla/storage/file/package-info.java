/**
 * Objects as files of one folder, safe against crashes and against other processes; start at
 * {@link io.knabla.storage.file.FileObjectStore}.
 */
package io.knabla.storage.file;
