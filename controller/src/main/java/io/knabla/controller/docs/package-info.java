/**
 * Explains kinds of errors, and links error responses to the explanation; start at
 * {@link io.knabla.controller.docs.ErrorKind}.
 */
package io.knabla.controller.docs;
