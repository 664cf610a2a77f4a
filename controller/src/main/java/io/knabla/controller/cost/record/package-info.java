/** Records in the usage ledger what nodes and replicas used, and keeps the ledger small. */
package io.knabla.controller.cost.record;
