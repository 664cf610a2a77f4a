/** Derivative rules, one class per family of operators; start at {@link StandardRules}. */
package io.knabla.functions.compiler.autodiff.rules;
