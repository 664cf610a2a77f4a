/** Writes HTML pages that load nothing from elsewhere, with charts. */
package io.knabla.controller.pages;
