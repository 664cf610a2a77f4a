/**
 * Serves the HTTP endpoints of <a href="https://github.com/pasteurlabs/tesseract-core">Tesseract</a> clients: apply,
 * Jacobian, JVP, VJP, abstract_eval; start at {@link io.knabla.runtime.tesseract.TesseractCalls}. These classes are
 * loaded on the first such call.
 */
package io.knabla.runtime.tesseract;
