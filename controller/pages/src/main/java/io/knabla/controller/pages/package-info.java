/** Writes HTML pages that load nothing from other servers, with charts. */
package io.knabla.controller.pages;
