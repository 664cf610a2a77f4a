/**
 * The endpoints that <a href="https://github.com/pasteurlabs/tesseract-core">Tesseract</a> clients speak, beside the
 * Open Inference Protocol; start at {@link io.knabla.runtime.serve.tesseract.Tesseract}. Nothing here is loaded before
 * the first such call.
 */
package io.knabla.runtime.serve.tesseract;
