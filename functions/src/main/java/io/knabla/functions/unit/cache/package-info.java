/**
 * The folder that all processes of one machine keep units in: who is at work on what, what is in use, and what gives
 * way when room is needed.
 */
package io.knabla.functions.unit.cache;
