/** Holds the values that a chat template computes with; they behave like Python's. */
package io.knabla.functions.chat.value;
