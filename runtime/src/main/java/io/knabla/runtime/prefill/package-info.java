/**
 * Has prompts read by the replicas of another function of the same model: what a replica asks them, over HTTP; start at
 * {@link io.knabla.runtime.prefill.HttpPrefixSource}.
 */
package io.knabla.runtime.prefill;
