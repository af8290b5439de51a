// SPDX-License-Identifier: Apache-2.0
// JSON as text: "equal to the minified input" (I4) is a statement about bytes, so nothing here parses and prints again.

/** `text` without white space between tokens; every other byte stays. */
export function minify(text) {
  let out = '';
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      out += c;
      if (c === '\\') out += text[++i];
      else if (c === '"') inString = false;
    } else if (c === '"') {
      inString = true;
      out += c;
    } else if (c !== ' ' && c !== '\t' && c !== '\r' && c !== '\n') {
      out += c;
    }
  }
  return out;
}
