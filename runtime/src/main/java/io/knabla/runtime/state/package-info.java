/**
 * Keeps what a training unit learnt as one object in the store; start at {@link io.knabla.runtime.state.StateObject}.
 */
package io.knabla.runtime.state;
