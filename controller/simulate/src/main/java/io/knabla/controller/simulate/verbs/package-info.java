/** Runs {@code ./knabla simulate}: reads options, traces and ledgers, and prints and draws what came out. */
package io.knabla.controller.simulate.verbs;
