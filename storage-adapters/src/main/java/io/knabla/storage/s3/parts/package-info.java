/** Writes and copies large objects: streamed, in parts, or by presigned part URLs; start at {@code MultipartWriter}. */
package io.knabla.storage.s3.parts;
