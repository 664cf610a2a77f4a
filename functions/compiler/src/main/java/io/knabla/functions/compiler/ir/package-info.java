/**
 * Represents a graph as SSA values and operations, the form that derivatives and rewrites work on; start at
 * {@link Dag}.
 */
package io.knabla.functions.compiler.ir;
