/** Keeps usage rows durably in the object store: appended, merged by hour, each row counted exactly once. */
package io.knabla.controller.cost.ledger;
