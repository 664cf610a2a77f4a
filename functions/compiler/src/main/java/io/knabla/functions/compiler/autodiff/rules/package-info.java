/** The derivative rules, one family of operators a file; start at {@link Families}. */
package io.knabla.functions.compiler.autodiff.rules;
