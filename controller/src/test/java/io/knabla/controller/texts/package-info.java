/** Functions that continue texts, on a whole platform. */
package io.knabla.controller.texts;
