/**
 * Functions and their versions as documents in the object store; start at {@link io.knabla.controller.catalog.Catalog}.
 */
package io.knabla.controller.catalog;
