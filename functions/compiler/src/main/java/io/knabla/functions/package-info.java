/** What every part of functions shares: {@link io.knabla.functions.Fault}, one fault of an input with its place. */
package io.knabla.functions;
