/**
 * Answers what a machine or a service costs at a time, each price with its source; a price that is not known is absent.
 */
package io.knabla.controller.price;
