/** Makes graphs faster and smaller before and after differentiation; start at {@link GraphOptimizer}. */
package io.knabla.functions.compiler.optimize;
