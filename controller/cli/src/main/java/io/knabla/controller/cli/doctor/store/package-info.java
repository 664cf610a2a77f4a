/**
 * Checks whether an object store does what Knabla needs; start at
 * {@link io.knabla.controller.cli.doctor.store.StoreChecks}.
 */
package io.knabla.controller.cli.doctor.store;
