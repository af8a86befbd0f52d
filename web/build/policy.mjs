/**
 * The page's own Content-Security-Policy, as strict as it works: nothing from elsewhere, no inline scripts or styles
 * (but the offline file's one of each, by their hashes), WebAssembly, an engine in a worker. Whoever frames the page may.
 */

import { createHash } from 'node:crypto';

const SELF = "'self'";

/** @param {{ script?: string, style?: string, worker?: string, frame?: string }} sources @returns {string} a meta tag */
function metaOf({ script = SELF, style = SELF, worker = SELF, frame = SELF }) {
  const policy = [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    `worker-src ${worker}`,
    `frame-src ${frame}`,
    `connect-src ${frame}`,
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}

/** @param {string | Uint8Array} bytes */
export const hashOf = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/** Of the site. */
export const sitePolicy = metaOf({});

/** Of the offline file. @param {string} script @param {string} style */
export const filePolicy = (script, style) =>
  metaOf({
    script: `'${hashOf(script)}'`,
    style: `'${hashOf(style)}'`,
    worker: 'blob:',
    frame: "'none'",
  });
