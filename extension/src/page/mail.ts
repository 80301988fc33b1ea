// What a mailto: link would write (https://www.rfc-editor.org/rfc/rfc6068), in words for the user. Pure.

/** An email that a link begins. */
export interface Mail {
  /** The recipients, as they are written. */
  to: string;
  /** The other fields in the link's order, but for the body. */
  fields: [name: string, value: string][];
  /** The text; "" where there is none. */
  body: string;
}

/** Reads a mailto: link; null for any other. */
export function readMail(href: string): Mail | null {
  const [, path = "", query = ""] = /^mailto:([^?#]*)(?:\?([^#]*))?/i.exec(href) ?? [];
  if (!/^mailto:/i.test(href)) {
    return null;
  }
  const mail: Mail = { to: line(path), fields: [], body: "" };
  for (const field of query.split("&").filter((each) => each !== "")) {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(field) ?? [];
    const known = line(name).toLowerCase();
    if (known === "body") {
      mail.body += `${mail.body && "\n"}${visible(decoded(value).replace(/\r\n?/g, "\n"))}`;
    } else if (known === "to") {
      mail.to = [mail.to, line(value)].filter((each) => each !== "").join(", ");
    } else {
      mail.fields.push([known, line(value)]);
    }
  }
  return mail;
}

/** A field's value: it has one line, whatever the link says. */
function line(written: string): string {
  return visible(decoded(written).replace(/\s+/g, " ")).trim();
}

/** The text that percent-encoding stands for; one that is wrong is left as it is. A plus sign is a plus sign here. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** Characters that are not seen, or turn the text around them, as their code points. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n"
      ? character
      : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
}
