/** Makes graphs faster and smaller before and after they are differentiated. */
package io.knabla.functions.compiler.optimize;
