/** Writes rows durably in the order in which they come: in files of a folder, or as objects of the store. */
package io.knabla.controller.cost.ledger.segment;
