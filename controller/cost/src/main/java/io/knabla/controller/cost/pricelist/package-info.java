/** Asks providers for their prices and keeps the answers in the store, below {@code prices/}. */
package io.knabla.controller.cost.pricelist;
