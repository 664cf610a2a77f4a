/** Keeps what a cluster runs as its Function resources wish. */
package io.knabla.controller.operator;
