/** Controllers in processes of their own race for one catalog, and a register judges what they saw. */
package io.knabla.controller.race;
