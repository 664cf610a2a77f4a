/**
 * Checks whether an object store meets the requirements of Knabla; start at
 * {@link io.knabla.controller.cli.doctor.store.StoreChecks}.
 */
package io.knabla.controller.cli.doctor.store;
