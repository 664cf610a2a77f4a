/**
 * Turns conversations into prompts by the chat templates of Hugging Face models, which are a part of Jinja2; start at
 * {@link io.knabla.functions.chat.ChatTemplate}.
 */
package io.knabla.functions.chat;
