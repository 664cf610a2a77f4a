/**
 * Builds gradient, vector-Jacobian, Jacobian-vector and Hessian-vector graphs from one sweep; start at
 * {@code Transforms}.
 */
package io.knabla.functions.compiler.autodiff.transform;
