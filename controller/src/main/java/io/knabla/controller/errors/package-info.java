/**
 * Builds problem documents, explains kinds of errors, and links error responses to the explanation; start at
 * {@link io.knabla.controller.errors.ErrorKind}.
 */
package io.knabla.controller.errors;
