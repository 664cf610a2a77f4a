/**
 * Runs random programs on a store over a faulty network and checks that their observations are linearizable; start at
 * {@link io.knabla.storage.s3.scenarios.Scenario}.
 */
package io.knabla.storage.s3.scenarios;
