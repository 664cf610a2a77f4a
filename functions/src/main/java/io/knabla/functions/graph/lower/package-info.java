/** Brings a model of any opset into the one form that derivatives are written for; start at {@link Importer}. */
package io.knabla.functions.graph.lower;
