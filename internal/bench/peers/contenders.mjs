// Each contender reads one call, and says how long its question is and how many suggestions it has. All are used the way
// that is kindest to them.

import { JSONParser } from "@streamparser/json";
import clarinet from "clarinet";
import { XMLParser } from "fast-xml-parser";
import { parse } from "partial-json";
import { SaxesParser } from "saxes";

clarinet.MAX_BUFFER_LENGTH = Number.POSITIVE_INFINITY;

const xml = new XMLParser({ ignoreAttributes: false });

function ofXml({ ask_followup_question: call }) {
  return { question: call.question.length, suggestions: call.follow_up?.suggest?.length };
}

function ofJson(value) {
  return { question: value?.question?.length, suggestions: value?.follow_up?.length };
}

/** Calls read with all there is after each chunk. */
function again(chunks, read) {
  let soFar = "";
  let last;
  for (const chunk of chunks) {
    soFar += chunk;
    last = read(soFar);
  }
  return last;
}

function saxes(chunks) {
  const parser = new SaxesParser();
  const result = { question: 0, suggestions: 0 };
  let open = "";
  parser.on("opentag", (tag) => {
    open = tag.name;
  });
  parser.on("text", (text) => {
    if (open === "question") {
      result.question += text.length;
    }
  });
  parser.on("closetag", (tag) => {
    open = "";
    if (tag.name === "suggest") {
      result.suggestions += 1;
    }
  });
  for (const chunk of chunks) {
    parser.write(chunk);
  }
  parser.close();
  return result;
}

function readClarinet(chunks) {
  const parser = clarinet.parser();
  const result = { question: 0, suggestions: 0 };
  let key = "";
  parser.onkey = (name) => {
    key = name;
  };
  parser.onopenobject = parser.onkey;
  parser.onvalue = (value) => {
    if (key === "question") {
      result.question = value.length;
    } else if (key === "text") {
      result.suggestions += 1;
    }
  };
  for (const chunk of chunks) {
    parser.write(chunk);
  }
  parser.close();
  return result;
}

function streamparser(chunks) {
  const parser = new JSONParser({ paths: ["$"] });
  let whole;
  parser.onValue = ({ value }) => {
    whole = value;
  };
  for (const chunk of chunks) {
    parser.write(chunk);
  }
  return ofJson(whole);
}

/** A text that is not complete may be none that a parser of whole documents takes. */
function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The contenders by the names that package bench has for them. */
export const contenders = {
  saxes,
  "fast-xml-parser, once, at the end": (_, whole) => ofXml(xml.parse(whole)),
  "fast-xml-parser, again after each chunk": (chunks) =>
    again(chunks, (soFar) => attempt(() => ofXml(xml.parse(soFar)))),
  "clarinet, without the partial question": readClarinet,
  "@streamparser/json, without the partial question": streamparser,
  "partial-json, again after each chunk": (chunks) =>
    again(chunks, (soFar) => attempt(() => ofJson(parse(soFar)))),
};
