// What the history's components have in common: they render into the page itself, as those of the cards do.

import { LitElement } from "lit";
import { property } from "lit/decorators.js";
import { type HistoryTranslate, historyTranslator } from "../strings";

const englishTexts = historyTranslator({}, "en");

/** The base of every component of the history. */
export abstract class HistoryElement extends LitElement {
  /** The texts in the user's language. */
  @property({ attribute: false }) t: HistoryTranslate = englishTexts;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
