/**
 * Brings model files into the store: uploads, direct uploads, and copies from other buckets; start at
 * {@code ModelSource}.
 */
package io.knabla.controller.models;
