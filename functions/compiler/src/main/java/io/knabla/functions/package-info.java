/** Common type of all parts of functions: {@link io.knabla.functions.Fault}, one fault of an input with its place. */
package io.knabla.functions;
