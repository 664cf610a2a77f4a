/** What the tokens of language models cost, here and at the list prices of others. */
package io.knabla.controller.cost.token;
