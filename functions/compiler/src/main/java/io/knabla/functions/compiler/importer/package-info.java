/** Imports models of any opset into SSA form and lowers them to one canonical form; start at {@link Importer}. */
package io.knabla.functions.compiler.importer;
