/** Functions that generate text, on a whole platform. */
package io.knabla.controller.texts;
