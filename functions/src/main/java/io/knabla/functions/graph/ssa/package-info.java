/** A graph as values in single assignment: what derivatives and rewrites are written in; start at {@link Dag}. */
package io.knabla.functions.graph.ssa;
