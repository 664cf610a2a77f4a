/** Stand-in. */
package io.knabla.functions.autodiff;
