/** Reads the source of a chat template into statements and expressions, or into a list of its faults. */
package io.knabla.functions.chat.syntax;
