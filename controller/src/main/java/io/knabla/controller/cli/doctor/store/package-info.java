/**
 * Whether a store can be what Knabla needs, tried for real; start at
 * {@link io.knabla.controller.cli.doctor.store.StoreExamination}.
 */
package io.knabla.controller.cli.doctor.store;
