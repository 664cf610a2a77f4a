/**
 * Grammar of the paths by which functions are called, written and read; start at
 * {@link io.knabla.runtime.paths.ProtocolPath}. Gateway, replica and gRPC share it.
 */
package io.knabla.runtime.paths;
