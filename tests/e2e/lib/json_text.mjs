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

/** The bytes of member `name` of the minified object `text`, without looking into other members. */
export function memberText(text, name) {
  let depth = 0;
  let inString = false;
  let start = 1;  // of the member at hand
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
    } else if (c === '"') {
      inString = true;
    } else if (c === '{' || c === '[') {
      depth++;
    } else if (c === '}' || c === ']' || (c === ',' && depth === 1)) {
      if (depth === 1) {
        const member = text.slice(start, i);
        const key = `${JSON.stringify(name)}:`;
        if (member.startsWith(key)) return member.slice(key.length);
        start = i + 1;
      }
      if (c !== ',') depth--;
    }
  }
  return undefined;
}
