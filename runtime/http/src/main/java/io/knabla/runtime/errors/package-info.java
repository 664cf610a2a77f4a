/** Writes the bodies of errors that replicas and the gateway answer with, one class per format. */
package io.knabla.runtime.errors;
