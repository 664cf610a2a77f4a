/** Renders a chat template with bounded work and memory, as Jinja2 does. */
package io.knabla.functions.chat.render;
