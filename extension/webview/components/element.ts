// What all components have in common: they render into the page itself, so that one stylesheet dresses them
// all, labels reach across them, and text can be selected from one to the next.

import { LitElement } from "lit";
import { property } from "lit/decorators.js";
import type { Place } from "../boundary";
import { english, type Translate, translator } from "../strings";

/** The events that the components send upwards, by name, with what they carry. */
export interface ViewEvents {
  /** A link in what an agent wrote is to be opened. */
  "followup-link": { href: string };
  /** A place in a file that an agent named is to be opened. */
  "followup-place": { place: Place };
  /** Asks which of the places in files the editor can open; `answer` is called with that once. */
  "followup-places": { places: readonly Place[]; answer(known: readonly boolean[]): void };
}

const englishTexts = translator(english, "en");

/** The base of every component. */
export abstract class FollowupElement extends LitElement {
  /** The texts in the user's language. */
  @property({ attribute: false }) t: Translate = englishTexts;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Sends an event to whoever contains this element. */
  protected send<Name extends keyof ViewEvents>(name: Name, detail: ViewEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
