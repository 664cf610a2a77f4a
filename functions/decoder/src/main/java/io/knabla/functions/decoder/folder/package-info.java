/**
 * Opens a model as Hugging Face's hub has it, a folder of files; start at
 * {@link io.knabla.functions.decoder.folder.ModelFolder} and {@link io.knabla.functions.decoder.folder.EncoderFolder}.
 */
package io.knabla.functions.decoder.folder;
