/** Compares what functions and namespaces cost with the budgets that users set. */
package io.knabla.controller.cost.budget;
